"""OpenStack Swift with its S3 API, all of it in one process on loopback.

Usage: swift.py DIRECTORY PORT ACCESS_KEY SECRET_KEY
The access key is `ACCOUNT:USER`. Prints `ready` once it listens.
"""

import array
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.account.server import app_factory as account  # noqa: E402
from swift.common import utils  # noqa: E402
from swift.common.middleware.catch_errors import filter_factory as catch_errors  # noqa: E402
from swift.common.middleware.s3api.s3api import filter_factory as s3api  # noqa: E402
from swift.common.middleware.tempauth import filter_factory as tempauth  # noqa: E402
from swift.common.ring import RingData  # noqa: E402
from swift.common.storage_policy import POLICIES  # noqa: E402
from swift.container.server import app_factory as container  # noqa: E402
from swift.obj.server import app_factory as objects  # noqa: E402
from swift.proxy.server import Application  # noqa: E402

directory, port, access_key, secret_key = sys.argv[1:]
devices = os.path.join(directory, "devices")
os.makedirs(os.path.join(devices, "disk"), exist_ok=True)
utils.HASH_PATH_SUFFIX = b"tests"
utils.validate_hash_conf = lambda: None


class Cache:
    """In place of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, **_):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def delete(self, key, **_):
        self.values.pop(key, None)

    def incr(self, key, delta=1, **_):
        self.values[key] = self.values.get(key, 0) + delta
        return self.values[key]


def cached(app):
    cache = Cache()

    def answer(env, start_response):
        env["swift.cache"] = cache
        return app(env, start_response)

    return answer


def listen(number=0):
    return eventlet.listen(("127.0.0.1", number))


def serve(sock, app):
    null = utils.get_logger({}, log_route="null")
    eventlet.spawn(wsgi.server, sock, app, null, debug=False, max_size=2000)


def ring(kind, sock):
    address, number = sock.getsockname()
    device = {"id": 0, "zone": 0, "region": 1, "weight": 1.0, "device": "disk", "ip": address}
    device |= {"port": number, "replication_ip": address, "replication_port": number}
    RingData([array.array("H", [0, 0])], [device], 31).save(f"{directory}/{kind}.ring.gz")


conf = {
    "swift_dir": directory,
    "devices": devices,
    "mount_check": "false",
    "fsync_metadata": "true",
    "disable_fallocate": "true",
    "log_name": "swift",
    "account_autocreate": "true",
    "recheck_account_existence": "60",
    "client_timeout": "30",
}
parts = {"account": account, "container": container, "object": objects}
sockets = {kind: listen() for kind in parts}
for kind, sock in sockets.items():
    ring(kind, sock)
POLICIES.default.load_ring(directory)
for kind, make in parts.items():
    serve(sockets[kind], make(conf))

# The user of the key is an administrator of its account.
name, user = access_key.split(":")
app = Application(conf)
app = tempauth(conf, **{f"user_{name}_{user}": f"{secret_key} .admin"})(app)
app = s3api(conf, s3_acl="false", location="us-east-1", dns_compliant_bucket_names="false")(app)
app = catch_errors(conf)(app)
serve(listen(int(port)), cached(app))
print("ready", flush=True)
while True:
    eventlet.sleep(3600)
