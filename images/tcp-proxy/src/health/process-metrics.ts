import { Counter, Gauge, Registry } from 'prom-client';
import { described } from './described';
import { METRICS } from '../../../../src/agent/contract/metrics';

/** Start, memory and CPU time of this process, whichever command it runs. */
export function measureProcess(registry: Registry): void {
  new Gauge({
    ...described(METRICS.startTime, registry),
    collect() {
      this.set(performance.timeOrigin / 1000);
    },
  });
  new Gauge({
    ...described(METRICS.residentMemory, registry),
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Counter({
    ...described(METRICS.cpu, registry),
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
}
