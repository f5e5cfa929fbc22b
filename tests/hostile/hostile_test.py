#!/usr/bin/env python3
"""Short forms of the attacks on real processes; the long ones are tests/hostile/campaign.

  hostile_test.py BINARIES [quick|slow]
"""
import contextlib
import ctypes
import json
import os
import socket
import ssl
import sys
import time
import unittest
import urllib.request

import attacks
from cluster import Cluster

BINARIES = sys.argv[1]
# A connection that the other end has cut. A time-out is none: then it only reads no more.
CUT = (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError)


def until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def shut_down(process, port):
    """Shuts down the socket of another process that listens at the port; False where it may not."""
    pidfd_getfd = 438
    handle = os.pidfd_open(process)
    try:
        for descriptor in map(int, os.listdir(f"/proc/{process}/fd")):
            borrowed = ctypes.CDLL(None).syscall(pidfd_getfd, handle, descriptor, 0)
            if borrowed < 0:
                continue
            try:
                with socket.socket(fileno=borrowed) as one:
                    if (one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
                            and one.getsockname()[1] == port):
                        one.shutdown(socket.SHUT_RDWR)
                        return True
            except OSError:  # no socket
                with contextlib.suppress(OSError):
                    os.close(borrowed)
    finally:
        os.close(handle)
    return False


class Hostile(unittest.TestCase):
    def setUp(self):
        # Fewer descriptors than connections: what thousands do to an ordinary limit.
        self.cluster = Cluster(BINARIES, descriptors=300, workers=0)
        self.addCleanup(self.cluster.close)

    def connections(self, address, count, said=b"\x16"):
        made = []
        self.addCleanup(lambda: [one.close() for one in made])
        for _ in range(count):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(address)
            made.append(one)
        time.sleep(0.05)
        for one in made:
            try:
                one.send(said)
            except OSError:
                pass
        return made

    def send_endless_headers(self, one):
        self.addCleanup(one.close)
        filler = attacks.Http2.header("x-filler", "y" * 100) * 140
        one.frame(one.HEADERS, 0, 1, b"\0\1x" + b"\x7f" + attacks.varint((1 << 31) - 127))
        for _ in range(10_000):
            one.frame(one.CONTINUATION, 0, 1, filler)

    def alive(self):
        self.assertIsNone(self.cluster.coordinator.poll(), "".join(self.cluster.log.lines))


class Quick(Hostile):
    def test_the_port_listens_after_a_burst(self):
        for _ in range(3):
            held = self.connections(self.cluster.target.grpc, 600)
            time.sleep(0.05)
            for one in held:
                one.close()
        self.assertTrue(until(self.cluster.healthy, 60))
        self.alive()

    def test_who_can_listen_no_more_ends(self):
        if not shut_down(self.cluster.coordinator.pid, self.cluster.target.grpc[1]):
            self.skipTest("the kernel lends no descriptors of other processes")
        self.assertEqual(self.cluster.coordinator.wait(30), 1)
        self.assertTrue(self.cluster.log.wait("listener_broken: found 127.0.0.1", 5))

    def test_whoever_is_silent_holds_up_nobody(self):
        self.connections(self.cluster.target.grpc, 80)
        self.connections(self.cluster.target.page, 600)
        self.assertIsNotNone(self.cluster.page_seconds(60))
        self.assertIsNotNone(self.cluster.joins(60))
        reader = attacks.Http2(self.cluster.target, self.cluster.target.reader, timeout=60)
        self.addCleanup(reader.close)
        self.assertIn(b"running", reader.call("/joseki.v1.ReaderService/GetStatus", b""))
        metrics = self.cluster.metrics()
        self.assertLess(float(metrics["process_open_fds"]), 250)
        strangers = 'joseki_connections{of="strangers"}'
        most = 'joseki_connections_most{of="strangers"}'
        self.assertLessEqual(float(metrics[strangers]), float(metrics[most]))
        self.alive()

    def test_the_page_knows_when_the_certificate_ends(self):
        with urllib.request.urlopen(f"http://{self.cluster.page}/api/status", timeout=10) as told:
            self.assertRegex(json.load(told)["certificate_end"], r"^20\d\d-\d\d-\d\dT")

    def test_what_never_ends_is_cut(self):
        before = self.cluster.resident_mb()
        begins = {
            "line": (b"GET /", b"a" * 65536),
            "headers": (b"GET / HTTP/1.1\r\n", b"X-Filler: y\r\n" * 5000),
            "body": (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
                     b"10000\r\n" + b"b" * 65536 + b"\r\n")}
        for name, (begin, more) in begins.items():
            with self.subTest(name), attacks.connected(self.cluster.target.page) as one:
                with self.assertRaises(CUT):
                    one.sendall(begin)
                    for _ in range(1000):
                        one.sendall(more)
        # gRPC reads no more at once, and cuts later: a slow test waits for it.
        one = attacks.Http2(self.cluster.target)
        with self.subTest("gRPC"), self.assertRaises((*CUT, TimeoutError)):
            self.send_endless_headers(one)
        # The address sanitizer keeps 256 MB of what was freed, and a seam around each piece of memory.
        if "ASAN_OPTIONS" not in os.environ:
            self.assertLess(self.cluster.resident_mb() - before, 100)
        self.alive()


class Slow(Hostile):
    def test_an_export_that_nobody_reads_makes_room_for_others(self):
        def export(number):
            out = self.cluster.folder / f"out-{number}.json"
            return self.cluster.joseki(
                "export", *self.cluster.client, *self.cluster.identity("reader"), "--run", 1,
                "--format", "json", "--out", out, check=False)
        self.assertEqual(export(0).returncode, 0)
        request = attacks.field(1, 1) + attacks.field(2, "json")
        unread = attacks.Http2(self.cluster.target, self.cluster.target.reader)
        self.addCleanup(unread.close)
        for _ in range(8):
            unread.say(unread.open("/joseki.v1.ReaderService/ExportBook"), request)
        self.assertTrue(until(lambda: "too_many_exports" in export(1).stderr, 20))
        self.assertTrue(until(lambda: export(2).returncode == 0, 60))
        self.alive()

    def test_endless_headers_are_cut(self):
        one = attacks.Http2(self.cluster.target, timeout=400)
        with self.assertRaises(CUT):
            self.send_endless_headers(one)
        self.alive()

    def test_strangers_come_and_go(self):
        for name in ("slow_hello", "silent_strangers", "slow_page"):
            with self.subTest(name):
                attacker = self.cluster.attack(name)
                time.sleep(3)
                self.cluster.end(attacker)
                seconds = self.cluster.joins(30)
                self.assertIsNotNone(seconds)
                self.assertLess(seconds, 10)
        self.alive()


if __name__ == "__main__":
    chosen = Slow if sys.argv[2:] == ["slow"] else Quick
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(chosen)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
