import { isIPv6 } from 'net';
import { validateDnsName } from '../validation/hostname';
import { ipFamily } from '../validation/ip-network';
import { validatePort } from '../validation/name';

/** A host and a port. They are separate values everywhere in this library; only `toString()` joins them. */
export class Endpoint {
  /** The host, without port and without brackets. */
  public readonly host: string;
  /** The port, 1 to 65535. */
  public readonly port: number;

  public constructor(host: string, port: number) {
    this.host = ipFamily(host) ? host : validateDnsName('host', host);
    this.port = validatePort('port', port);
  }

  /** `host:port`, with brackets around an IPv6 address. */
  public toString(): string {
    return `${isIPv6(this.host) ? `[${this.host}]` : this.host}:${this.port}`;
  }

  /** `https://host:port`, as in a kubeconfig. */
  public get url(): string {
    return `https://${this.toString()}`;
  }
}
