"""Reads the manifests of deploy/kubernetes."""
import os
import sys

try:
    import yaml
except ImportError:  # Debian's own python has it (python3-yaml); another may come first
    if sys.executable == "/usr/bin/python3" or not os.path.exists("/usr/bin/python3"):
        sys.exit("python3-yaml is not installed (deploy/install-packages test)")
    os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", *sys.argv])


class NoDoubles(yaml.SafeLoader):
    """Refuses a key that is there twice, of which YAML would silently take the last."""


def mapping(loader, node):
    keys = [loader.construct_object(key) for key, _ in node.value]
    doubles = {key for key in keys if keys.count(key) > 1}
    if doubles:
        raise ValueError(f"{node.start_mark}: {doubles} twice")
    return loader.construct_mapping(node, deep=True)


NoDoubles.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)


def read(folder):
    """(file's name, document) of every document."""
    return [(path.name, document) for path in sorted(folder.glob("*.yaml"))
            for document in yaml.load_all(path.read_text(), NoDoubles)]
