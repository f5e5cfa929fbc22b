#!/usr/bin/env python3
"""Writes tests/data/kubernetes/fields.json: of every type that the manifests of deploy/kubernetes
reach, its fields and their types. By hand, after a manifest uses a new type:

  npm install kubernetes-models && tests/deploy/kubernetes_fields.py node_modules > tests/data/kubernetes/fields.json

The source is the npm package kubernetes-models (MIT), which is made of Kubernetes' own schema.
"""
import json
import re
import sys
from pathlib import Path

import manifests

FIELD = re.compile(r'^ {4}"([\w$-]+)"(\??): (.+);$', re.MULTILINE)
MAP = re.compile(r"\{\s*\[key: string\]: (\w+);\s*\}")


def fields_of(modules, name):
    """{field: [type, required]} of "apps/v1/Deployment" in one of the packages, and its imports."""
    for folder in ("kubernetes-models", "@kubernetes-models/apimachinery/apis",
                   "@kubernetes-models/apimachinery"):
        path = modules / folder / f"{name}.d.ts"
        if path.exists():
            break
    else:
        raise FileNotFoundError(name)
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    imports = {}
    for names, source in re.findall(r'import \{([^}]*)\} from "([^"]+)"', text):
        if source.startswith("@kubernetes-models/apimachinery/"):
            target = source.removeprefix("@kubernetes-models/apimachinery/").removeprefix("apis/")
        elif source.startswith("."):
            target = str((Path("/") / name).parent.joinpath(source).resolve()).lstrip("/")
        else:
            continue
        for one in names.split(","):
            imports[one.strip()] = target
    interface = re.search(r"export interface \w+[^{]*\{\n(.*?)\n\}", text, re.DOTALL)
    if not interface:  # an alias, such as of a quantity: any plain value
        return None
    fields = {}
    body = MAP.sub(r"Map<\1>", interface.group(1) + "\n")
    for field, optional, kind in FIELD.findall(body):
        container = re.fullmatch(r"(Array|Map)<(.+)>", kind)
        inner = container.group(2) if container else kind
        if inner.startswith('"'):
            inner = "=" + inner.replace('"', "").replace(" ", "")  # one of these words
        prefix = {"Array": "[]", "Map": "{}"}[container.group(1)] if container else ""
        fields[field] = [prefix + imports.get(inner, inner), 0 if optional else 1]
    if re.search(r'^ {4}"volumeClaimTemplates"', body, re.MULTILINE):  # spelt out there
        fields["volumeClaimTemplates"] = ["[]v1/PersistentVolumeClaim", 0]
    return fields


def main():
    modules = Path(sys.argv[1])
    types = {}

    def visit(name, value):
        """Takes in the types of what the manifests say, and nothing else."""
        if name[:2] in ("[]", "{}"):
            for one in value.values() if name[:2] == "{}" else value:
                visit(name[2:], one)
            return
        if "/" not in name or not isinstance(value, dict):
            return
        if name not in types:
            types[name] = fields_of(modules, name)
        for field, inner in value.items():
            if types[name] and field in types[name]:
                visit(types[name][field][0], inner)

    for _, document in manifests.read(Path(__file__).parents[2] / "deploy/kubernetes"):
        if document["kind"] == "Kustomization":
            continue
        group = document["apiVersion"]
        visit(f"{group}/{document['kind']}", document)
    lines = [f" {json.dumps(name)}: {json.dumps(types[name])}" for name in sorted(types)]
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
