import { Counter, Gauge, Registry } from 'prom-client';

/** Memory and CPU time of this process, whichever command it runs. */
export function measureProcess(registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'tcp_proxy_agent_resident_memory_bytes',
    help: 'Resident memory of the agent.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    name: 'tcp_proxy_agent_cpu_seconds_total',
    help: 'CPU time of the agent, user and system.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
