#!/usr/bin/env python3
"""The manifests of deploy/kubernetes: every field is one that Kubernetes has, of its type, and what
they say of each other fits. No server looks at them.

  kubernetes_test.py SOURCE BINARIES
"""
import copy
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import manifests

SOURCE = Path(sys.argv[1])
BINARIES = Path(sys.argv[2])
FOLDER = SOURCE / "deploy/kubernetes"
TYPES = json.loads((SOURCE / "tests/data/kubernetes/fields.json").read_text())
QUANTITY = re.compile(r"\d+(\.\d+)?(m|k|Ki|M|Mi|G|Gi|T|Ti)?$")


def problems(kind, value, place):
    """What is wrong with a value that should be of a type of fields.json."""
    if kind[:2] == "[]":
        if not isinstance(value, list):
            return [f"{place}: a list expected"]
        return [problem for number, one in enumerate(value)
                for problem in problems(kind[2:], one, f"{place}[{number}]")]
    if kind[:2] == "{}":
        if not isinstance(value, dict):
            return [f"{place}: names and values expected"]
        return [problem for key, one in value.items()
                for problem in problems(kind[2:], one, f"{place}.{key}")]
    if kind.startswith("="):
        return [] if value in kind[1:].split("|") else [f"{place}: {value!r}, not {kind[1:]}"]
    plain = {"string": str, "boolean": bool, "number": (int, float)}.get(kind)
    if plain:
        good = isinstance(value, plain) and (kind == "boolean" or not isinstance(value, bool))
        return [] if good else [f"{place}: {value!r} is no {kind}"]
    if kind.endswith("/Quantity"):
        return [] if QUANTITY.match(str(value)) else [f"{place}: {value!r} is no quantity"]
    if kind.endswith("/IntOrString"):
        good = isinstance(value, (int, str)) and not isinstance(value, bool)
        return [] if good else [f"{place}: {value!r}"]
    fields = TYPES.get(kind)
    if fields is None:
        return [f"{place}: fields.json does not have {kind} (tests/deploy/kubernetes_fields.py)"]
    if not isinstance(value, dict):
        return [f"{place}: {kind} expected"]
    found = [f"{place}: no field {key!r} in {kind}" for key in value if key not in fields]
    found += [f"{place}: {key!r} is missing" for key, (_, required) in fields.items()
              if required and key not in value]
    for key, inner in value.items():
        if key in fields:
            found += problems(fields[key][0], inner, f"{place}.{key}")
    return found


def documents():
    return [document for _, document in manifests.read(FOLDER)
            if document["kind"] != "Kustomization"]


def problems_of(document):
    return problems(f"{document['apiVersion']}/{document['kind']}", document, document["kind"])


def one(kind, name):
    return next(document for document in documents()
                if document["kind"] == kind and document["metadata"]["name"] == name)


def pods():
    """(name, labels, spec) of every kind of pod."""
    return [(document["metadata"]["name"], document["spec"]["template"]["metadata"]["labels"],
             document["spec"]["template"]["spec"])
            for document in documents() if document["kind"] in ("Deployment", "StatefulSet")]


def containers():
    return [container for _, _, spec in pods()
            for container in spec.get("initContainers", []) + spec["containers"]]


class Schema(unittest.TestCase):
    def test_every_field_is_one_of_kubernetes(self):
        for document in documents():
            self.assertEqual(problems_of(document), [])

    def test_it_would_be_noticed(self):
        for path, value, word in [
                (("spec", "template", "spec", "containers", 0, "imag"), "x", "imag"),
                (("spec", "template", "spec", "containers", 0, "args"), "x", "list"),
                (("spec", "template", "spec", "containers", 0, "resources", "limits", "cpu"), "four", "quantity"),
                (("spec", "template", "spec", "terminationGracePeriodSeconds"), "60", "number"),
                (("spec", "template", "spec", "automountServiceAccountToken"), "no", "boolean"),
                (("spec", "strategy", "type"), "Rolling", "Recreate")]:
            document = copy.deepcopy(one("Deployment", "joseki-worker"))
            inner = document
            for key in path[:-1]:
                inner = inner[key]
            inner[path[-1]] = value
            self.assertIn(word, "".join(problems_of(document)), path)
        document = one("Deployment", "joseki-worker")
        del document["spec"]["selector"]
        self.assertIn("missing", "".join(problems_of(document)))

    def test_kustomization_names_every_file(self):
        customization = next(document for name, document in manifests.read(FOLDER)
                             if name == "kustomization.yaml")
        self.assertEqual(set(customization["resources"]) | {"kustomization.yaml"},
                         {path.name for path in FOLDER.iterdir()})
        self.assertEqual({image["name"] for image in customization["images"]},
                         {container["image"] for container in containers()})


class Together(unittest.TestCase):
    def test_selectors_choose_pods_that_there_are(self):
        labels = [labels for _, labels, _ in pods()]

        def chosen(selector):
            return [one for one in labels if selector.items() <= one.items()]
        for document in documents():
            spec = document["spec"] if "spec" in document else {}
            selector = spec.get("selector", {})
            if document["kind"] == "Service":
                self.assertEqual(len(chosen(selector)), 1, document["metadata"])
            elif document["kind"] in ("Deployment", "StatefulSet", "PodDisruptionBudget"):
                self.assertEqual(len(chosen(selector["matchLabels"])), 1, document["metadata"])
            elif document["kind"] == "NetworkPolicy" and spec["podSelector"]:
                self.assertEqual(len(chosen(spec["podSelector"]["matchLabels"])), 1)
        self.assertEqual({document["spec"]["selector"]["matchLabels"]["app"]
                          for document in documents() if document["kind"] == "PodDisruptionBudget"},
                         {name for name, _, _ in pods()})

    def test_names_and_ports_fit(self):
        service = one("Service", "joseki-coordinator")
        coordinator = one("StatefulSet", "joseki-coordinator")
        self.assertEqual(coordinator["spec"]["serviceName"], service["metadata"]["name"])
        self.assertEqual(coordinator["spec"]["replicas"], 1)
        container = coordinator["spec"]["template"]["spec"]["containers"][0]
        ports = {port["name"]: port["containerPort"] for port in container["ports"]}
        self.assertEqual({port["targetPort"]: port["port"] for port in service["spec"]["ports"]}, ports)
        self.assertIn(f"--listen=0.0.0.0:{ports['grpc']}", container["args"])
        self.assertIn(f"--metrics=0.0.0.0:{ports['metrics']}", container["args"])
        worker = one("Deployment", "joseki-worker")["spec"]["template"]["spec"]["containers"][0]
        self.assertIn(f"--coordinator={service['metadata']['name']}:{ports['grpc']}", worker["args"])
        target = one("HorizontalPodAutoscaler", "joseki-worker")["spec"]["scaleTargetRef"]
        one(target["kind"], target["name"])

    def test_what_is_mounted_is_there(self):
        for document in documents():
            if document["kind"] not in ("Deployment", "StatefulSet"):
                continue
            spec = document["spec"]["template"]["spec"]
            volumes = {volume["name"] for volume in spec["volumes"]}
            volumes |= {claim["metadata"]["name"]
                        for claim in document["spec"].get("volumeClaimTemplates", [])}
            for container in spec.get("initContainers", []) + spec["containers"]:
                for mount in container["volumeMounts"]:
                    self.assertIn(mount["name"], volumes)

    def test_nothing_runs_with_rights(self):
        for name, _, spec in pods():
            self.assertTrue(spec["securityContext"]["runAsNonRoot"], name)
            self.assertEqual(spec["securityContext"]["seccompProfile"]["type"], "RuntimeDefault")
            self.assertFalse(spec["automountServiceAccountToken"], name)
        for container in containers():
            context = container["securityContext"]
            self.assertFalse(context["allowPrivilegeEscalation"])
            self.assertTrue(context["readOnlyRootFilesystem"])
            self.assertEqual(context["capabilities"]["drop"], ["ALL"])
            self.assertIn("memory", container["resources"]["limits"])
        self.assertIn({}, [document["spec"]["podSelector"] for document in documents()
                           if document["kind"] == "NetworkPolicy"], "nothing is denied by default")

    def test_a_worker_has_the_time_to_drain(self):
        spec = one("Deployment", "joseki-worker")["spec"]["template"]["spec"]
        seconds = next(int(argument.split("=")[1]) for argument in spec["containers"][0]["args"]
                       if argument.startswith("--drain-seconds="))
        self.assertGreater(spec["terminationGracePeriodSeconds"], seconds + 10)

    def test_the_programs_have_the_flags(self):
        for container in containers():
            for command in (container["command"] + container.get("args", []),
                            *(container[probe]["exec"]["command"] for probe in
                              ("startupProbe", "readinessProbe", "livenessProbe") if probe in container)):
                program = {"run-worker": "joseki-worker"}.get(command[0], command[0])
                if program == "make-certs":
                    continue
                told = subprocess.run([BINARIES / program, "--help"], capture_output=True, text=True,
                                      check=True).stdout
                for argument in command[1:]:
                    self.assertRegex(told, re.escape(argument.split("=")[0]) + r"\b")


class ReadOnlyTokens(unittest.TestCase):
    """run-worker with a folder of tokens that it must not change, and a worker that plays its part."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="joseki-tokens-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ("bin", "data", "joins"):
            (self.folder / name).mkdir()
        for number in range(5):
            (self.folder / f"joins/join-{number}.token").write_text(str(number))
        # Only the token 3 has not been used. "[ -w" is true for root whatever the mode, so the shell
        # of the test has a `[` of its own.
        self.program("joseki-worker", """
            case " $* " in
              *" --enrol-only "*)
                echo "tried $*" >>"$LOG"
                case "$*" in *join-3.token*) mkdir -p "$DATA/tls" && touch "$DATA/tls/cert.pem" ;; *) exit 1 ;; esac ;;
              *) echo "works $*" >>"$LOG" ;;
            esac""")
        script = (SOURCE / "deploy/compose/run-worker").read_text()
        self.assertIn('[ ! -w "$joins" ]', script)
        self.program("run-worker", script.replace('[ ! -w "$joins" ]', "true"))

    def program(self, name, text):
        path = self.folder / "bin" / name
        path.write_text(text if text.startswith("#!") else "#!/bin/sh\n" + text)
        path.chmod(0o755)

    def run_worker(self):
        return subprocess.run(
            [self.folder / "bin/run-worker", "--name", "w"], capture_output=True, text=True, check=False,
            env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
                 "DATA": str(self.folder / "data"), "JOINS": str(self.folder / "joins"),
                 "LOG": str(self.folder / "log")})

    def test_it_finds_the_one_that_is_free(self):
        self.assertEqual(self.run_worker().returncode, 0)
        log = (self.folder / "log").read_text().splitlines()
        self.assertIn("join-3.token", log[-2])
        self.assertTrue(log[-1].startswith("works"))
        self.assertNotIn("--token-file", log[-1])
        self.assertEqual(len(list((self.folder / "joins").iterdir())), 5)

    def test_it_says_when_none_is(self):
        (self.folder / "joins/join-3.token").unlink()
        done = self.run_worker()
        self.assertEqual(done.returncode, 1)
        self.assertIn("no_token", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
