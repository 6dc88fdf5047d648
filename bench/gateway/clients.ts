import { clientHello } from '../../test/data-path/support/client-hello';
import { clusterIdHeader } from '../../test/data-path/support/gateway';
import { exchange, RawConnection } from '../../test/data-path/support/tenant-server';

const HELLO = clientHello();

/** What a new connection with this cluster ID gets; empty when it is closed or refused. */
export async function answer(port: number, clusterId: string): Promise<string> {
  return exchange(port, Buffer.concat([clusterIdHeader(clusterId), await HELLO]));
}

/** Connects until the tenant answers, and tells after how many milliseconds that was. */
export async function untilRouted(port: number, clusterId: string, since: number): Promise<number> {
  while (await answer(port, clusterId) === '') {
    if (performance.now() - since > 120_000) {
      throw new Error(`${clusterId} is not routed within two minutes`);
    }
    await new Promise(resolve => setTimeout(resolve, 2));
  }
  return performance.now() - since;
}

/** Opens connections that stay, as watches do. */
export async function openConnections(port: number, clusterId: string, count: number): Promise<RawConnection[]> {
  const connections: RawConnection[] = [];
  for (let i = 0; i < count; i++) {
    const connection = new RawConnection(port, [clusterIdHeader(clusterId), await HELLO]);
    if (await connection.answer() === '') {
      throw new Error('an existing tenant is not routed');
    }
    connections.push(connection);
  }
  return connections;
}

/** Makes one connection after the other in the background. */
export class SteadyClient {
  public made = 0;
  public lost = 0;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(private readonly port: number, private readonly clusterId: string) {
    this.running = this.run();
  }

  public async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      this.made++;
      if (await answer(this.port, this.clusterId) === '') this.lost++;
      await new Promise(resolve => setTimeout(resolve, 5));
    }
  }
}

/** Makes connections to tenants in turn, some at once. */
export async function makeConnections(port: number, count: number, clusterIds: string[]): Promise<void> {
  const AT_ONCE = 20;
  for (let i = 0; i < count; i += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, j) => answer(port, clusterIds[(i + j) % clusterIds.length])));
  }
}
