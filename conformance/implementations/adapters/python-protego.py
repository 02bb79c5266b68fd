# Protego, the parser of Scrapy. Scrapy decodes the file as UTF-8 and ignores invalid bytes.
import base64, json, sys
from importlib.metadata import version
from protego import Protego

print(json.dumps({"version": version("protego")}), flush=True)
for line in sys.stdin:
    case = json.loads(line)
    try:
        rules = Protego.parse(base64.b64decode(case["robots"]).decode("utf-8", errors="ignore"))
        print(json.dumps({"allowed": rules.can_fetch(case["url"], case["agent"])}), flush=True)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
