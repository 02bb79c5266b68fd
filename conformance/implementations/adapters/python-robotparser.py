# urllib.robotparser of Python's standard library. The file is fetched from a data: URL, so that `read` decodes it as it always does.
import base64, json, sys
from platform import python_version
from urllib.robotparser import RobotFileParser

print(json.dumps({"version": python_version()}), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        parser = RobotFileParser("data:text/plain;base64," + case["robots"])
        parser.read()
        print(json.dumps({"allowed": parser.can_fetch(case["agent"], case["url"])}), flush=True)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
