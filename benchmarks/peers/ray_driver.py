"""Judge a job file with this checkout's ``Judge`` on two Ray nodes of this machine.

Runs in an environment with Ray: python ray_driver.py JOB RESULT. The nodes have one CPU each and
processes of their own; a third, the head, judges nothing. The rest as in microcoder_driver.py.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile

from microcoder_driver import BENCHMARKS, judge_file

NODES = 2


def main(job_path: str, result_path: str) -> None:
    # Nodes find this checkout by it.
    roots = (BENCHMARKS.parent, BENCHMARKS.parent / "sandbox")
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, roots))
    from ray.cluster_utils import Cluster

    os.makedirs("/tmp/ray", exist_ok=True)  # Ray notes the address there, whatever temp_dir says
    folder = tempfile.mkdtemp(prefix="ray")  # short: paths of sockets have a limit of 107 bytes
    head = {"num_cpus": 0, "include_dashboard": False, "temp_dir": folder}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(NODES):
            cluster.add_node(num_cpus=1)
        os.environ["RAY_ADDRESS"] = str(cluster.address)
        judge_file(job_path, result_path, engine="ray")
    finally:
        cluster.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
