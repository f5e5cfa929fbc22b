#!/usr/bin/env python3
"""Rules, configuration and dashboard of deploy/: what they name exists, promtool takes the rules and
sees them alert, and a real Prometheus scrapes a coordinator by them.

  monitoring_test.py SOURCE BINARIES
"""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

SOURCE = Path(sys.argv[1])
BINARIES = Path(sys.argv[2])
RULES = SOURCE / "deploy/prometheus/joseki.rules.yml"
PATIENCE = 60  # seconds


def documented():
    page = (SOURCE / "docs/reference/monitoring.md").read_text()
    rows = re.findall(r"^\| `((?:joseki|process)_[a-z_]+)", page,
                      re.MULTILINE)
    return set(rows)


def named(text):
    return set(re.findall(r"\b(?:joseki|process)_[a-z_]+", text))


class Files(unittest.TestCase):
    def test_alerts_name_what_there_is(self):
        expressions = re.sub(r"summary:.*", "", RULES.read_text())
        names = named(expressions)
        self.assertGreater(len(names), 8)
        self.assertEqual(names - documented(), set())

    def test_nothing_needs_the_name_of_a_job(self):
        """The coordinator's pod is found by its annotations, in a job of another name."""
        expressions = {panel["title"]: target["expr"] for panel in json.loads(
            (SOURCE / "deploy/grafana/joseki.json").read_text())["panels"] for target in panel["targets"]}
        alerts = re.split(r"- alert: ", RULES.read_text())[1:]
        expressions.update((alert.split("\n")[0], alert) for alert in alerts)
        self.assertEqual([name for name, text in expressions.items() if "job=" in text], ["JosekiDown"])

    def test_every_alert_is_explained(self):
        alerts = set(re.findall(r"- alert: (\w+)", RULES.read_text()))
        page = (SOURCE / "docs/reference/monitoring.md").read_text()
        explained = set(re.findall(r"`(Joseki[A-Z]\w+)`", page))
        self.assertEqual(alerts, explained)

    def test_the_dashboard_is_whole_and_names_what_there_is(self):
        dashboard = json.loads((SOURCE / "deploy/grafana/joseki.json").read_text())
        variables = {variable["name"] for variable in dashboard["templating"]["list"]}
        panels = dashboard["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        taken = set()
        for panel in panels:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"])
                     for y in range(place["y"], place["y"] + place["h"])}
            self.assertFalse(cells & taken, f"{panel['title']} covers another panel")
            self.assertLessEqual(place["x"] + place["w"], 24, panel["title"])
            taken |= cells
            self.assertTrue(panel["targets"], panel["title"])
            for target in panel["targets"]:
                names = named(target["expr"])
                self.assertTrue(names, target["expr"])
                self.assertEqual(names - documented(), set(), panel["title"])
                self.assertLessEqual(set(re.findall(r"\$\{?(\w+)", target["expr"])), variables)
                for label in re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]):
                    self.assertIn(label, ("run", "state", "ending"))


@unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
class Promtool(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-promtool-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def promtool(self, *arguments):
        done = subprocess.run(["promtool", *map(str, arguments)], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_it_takes_rules_and_configuration(self):
        self.promtool("check", "config", SOURCE / "deploy/prometheus/prometheus.yml")
        self.promtool("check", "rules", "--lint=all", "--lint-fatal", RULES)

    def test_every_alert_is_raised_when_it_should_be(self):
        shutil.copy(RULES, self.folder)
        tests = SOURCE / "tests/deploy/joseki.rules_test.yml"
        shutil.copy(tests, self.folder)
        self.assertEqual(set(re.findall(r"alertname: (\w+)", tests.read_text())),
                         set(re.findall(r"- alert: (\w+)", RULES.read_text())))
        self.promtool("test", "rules", tests.name)

    def test_it_takes_the_dashboards_queries(self):
        dashboard = json.loads((SOURCE / "deploy/grafana/joseki.json").read_text())
        rules = {"groups": [{"name": "dashboard", "rules": [
            {"record": f"panel:{panel['id']}:{number}", "expr": target["expr"]}
            for panel in dashboard["panels"] for number, target in enumerate(panel["targets"])]}]}
        (self.folder / "dashboard.yml").write_text(json.dumps(rules))  # which is YAML, too
        self.promtool("check", "rules", "dashboard.yml")


@unittest.skipUnless(shutil.which("prometheus"), "prometheus is not installed")
class RealPrometheus(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-prometheus-"))
        self.children = []

    def tearDown(self):
        for child in self.children:
            child.kill()
            child.wait()
        shutil.rmtree(self.folder)

    def start(self, *command):
        log = open(self.folder / f"{Path(command[0]).name}.log", "w")
        self.children.append(subprocess.Popen(list(map(str, command)), stdout=log, stderr=log,
                                              cwd=self.folder))
        log.close()

    def await_that(self, what, look):
        end = time.monotonic() + PATIENCE
        while True:
            found = look()
            if found:
                return found
            logs = "".join(path.read_text()[-2000:] for path in self.folder.glob("*.log"))
            self.assertLess(time.monotonic(), end, what + "\n" + logs)
            time.sleep(0.1)

    def test_it_scrapes_a_coordinator(self):
        self.start(BINARIES / "joseki-coordinator", "--db", self.folder / "book.sqlite",
                   "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
        log = self.folder / "joseki-coordinator.log"
        found = self.await_that("a coordinator",
                                lambda: re.search(r"metrics=(127\.0\.0\.1:\d+)", log.read_text()))
        config = (SOURCE / "deploy/prometheus/prometheus.yml").read_text()
        self.assertIn("127.0.0.1:7461", config)
        config = config.replace("127.0.0.1:7461", found.group(1)).replace("15s", "1s")
        (self.folder / "prometheus.yml").write_text(config)
        shutil.copy(RULES, self.folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        self.start("prometheus", f"--config.file={self.folder}/prometheus.yml",
                   f"--storage.tsdb.path={self.folder}/data", f"--web.listen-address={address}")

        def ask(path, **arguments):
            try:
                with urllib.request.urlopen(
                        f"http://{address}/api/v1/{path}?{urllib.parse.urlencode(arguments)}",
                        timeout=5) as answer:
                    return json.load(answer)["data"]
            except OSError:
                return None

        def value(query):
            data = ask("query", query=query)
            return data["result"][0]["value"][1] if data and data["result"] else None

        self.await_that("a scrape", lambda: value('up{job="joseki"}') == "1")
        self.assertEqual(value('joseki_workers{state="active"}'), "0")
        self.assertGreater(float(value("joseki_disk_free_bytes")), 0)
        scraped = set(ask("label/__name__/values"))
        # Without a run and without TLS these have no sample.
        self.assertEqual({name for name in documented() - scraped
                          if not name.startswith("joseki_run_")},
                         {"joseki_certificate_end_seconds", "joseki_search_ratio"})
        rules = [rule for group in ask("rules")["groups"] for rule in group["rules"]]
        self.assertEqual(len(rules), RULES.read_text().count("- alert:"))
        self.assertEqual([rule for rule in rules if rule["health"] == "err"], [])


if __name__ == "__main__":
    os.environ["PATH"] += ":/usr/sbin"
    unittest.main(argv=[sys.argv[0]])
