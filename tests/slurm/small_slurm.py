"""A Slurm of two nodes on this machine, with everything of its own in one folder: an own munged, a
slurmctld and two slurmd, all on loopback. It ends with `stop`, its jobs first."""
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

CONFIGURATION = """\
ClusterName=joseki{number}
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A requeued job waits for as long as a credential lives before it starts again.
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
# More cores than the machine has.
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
PropagateResourceLimits=NONE
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
KillWait=30
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=100000
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """Why there can be no Slurm here; None if there can."""
    for program in ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol"):
        if not shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin"):
            return f"{program} is not installed (deploy/install-packages slurm)"
    if os.geteuid() != 0:
        return "slurmd needs root"
    return None


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class SmallSlurm:
    def __init__(self, folder, nodes=2, cpus=8):
        self.folder = Path(folder)
        self.environment = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin",
                            "SLURM_CONF": str(self.folder / "slurm.conf")}
        self.names = [f"n{number + 1}" for number in range(nodes)]
        self.daemons = []
        host = socket.gethostname().split(".")[0]
        ctld, *ports = free_ports(nodes + 1)
        (self.folder / "state").mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o400)
        self.folder.chmod(0o755)  # munged wants its socket where everybody may reach it
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            number=os.getpid(), host=host, ctld=ctld, folder=self.folder,
            nodes="\n".join(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} "
                            f"CPUs={cpus} RealMemory=8000"
                            for name, port in zip(self.names, ports))))
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def _start(self):
        folder = self.folder
        self._daemon("munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
                     f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge.pid",
                     f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed")
        self.await_that("a munged", (folder / "munge.socket").exists)
        self._daemon("slurmctld", "-D", "-f", f"{folder}/slurm.conf")
        for name in self.names:
            self._daemon("slurmd", "-D", "-f", f"{folder}/slurm.conf", "-N", name)
        self.await_that("idle nodes", lambda: self.run("sinfo", "-h", "-N", "-o", "%T",
                                                       check=False).split()
                        == ["idle"] * len(self.names))

    def _daemon(self, *command):
        with open(self.folder / "daemons.log", "a") as log:
            self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=log,
                                                 stderr=log, start_new_session=True))

    def run(self, *command, check=True, **variables):
        done = subprocess.run(command, env={**self.environment, **variables}, text=True,
                              capture_output=True, check=False)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")
        return done.stdout

    def submit(self, *arguments, **variables):
        """Of `sbatch` with these arguments: the job's number."""
        return self.run("sbatch", "--parsable", *arguments, **variables).strip()

    def states(self, job):
        """Of each task of a job that is not over: its state, by "job_task" or "job"."""
        lines = self.run("squeue", "-h", "-r", "-j", job, "-o", "%i %T", check=False)
        return dict(line.split() for line in lines.splitlines())

    def processes(self, job, program):
        """The processes of a job (or "job_task") whose command is `program`."""
        array, _, task = job.partition("_")
        wanted = ({f"SLURM_ARRAY_JOB_ID={array}", f"SLURM_ARRAY_TASK_ID={task}"} if task
                  else {f"SLURM_JOB_ID={array}"})
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "comm").read_text().strip() != program[:15]:
                    continue
                variables = (folder / "environ").read_bytes().decode(errors="replace").split("\0")
            except OSError:
                continue
            if wanted <= set(variables) and f"SLURM_CONF={self.folder}/slurm.conf" in variables:
                found.append(int(folder.name))
        return found

    def await_that(self, what, condition, patience=120):
        end = time.monotonic() + patience
        while True:
            found = condition()
            if found:
                return found
            if time.monotonic() > end:
                raise TimeoutError(f"waited {patience} s in vain for {what}")
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{daemon.args[0]} ended: {self.logs()}")
            time.sleep(0.1)

    def logs(self):
        return "".join(f"--- {path.name}\n" + "\n".join(path.read_text(errors="replace")
                                                        .splitlines()[-15:]) + "\n"
                       for path in sorted(self.folder.glob("*.log")))

    def stop(self):
        if len(self.daemons) > 1:
            self.run("scancel", "--signal=KILL", "--full", "--user=root", check=False)
            self.run("scancel", "--user=root", check=False)
            try:
                self.await_that("an empty queue",
                                lambda: not self.run("squeue", "-h", check=False).strip(), 40)
            except (TimeoutError, RuntimeError):
                pass
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.send_signal(signal.SIGKILL)
                daemon.wait()
