import { mkdirSync, writeFileSync } from 'fs';
import { join } from 'path';
import type { BindOutputProps } from './bind';
import type { CloudflareZeroTrustOutputProps } from './cloudflare-zero-trust';
import type { CoreDnsOutputProps } from './coredns';
import type { DnsmasqOutputProps } from './dnsmasq';
import type { InfobloxOutputProps } from './infoblox';
import type { PortForwardsOutputProps } from './port-forwards';
import { TenantDns } from './tenant-dns';
import type { WindowsServerOutputProps } from './windows-server';
import { nameFactories } from '../validation/factories';

/** A text for a DNS server, or for whom else the names concern. */
export interface DnsFile {
  /** File name, without a folder. */
  readonly name: string;
  /** What the file holds. */
  readonly text: string;
}

/**
 * Writes the names of tenants for a DNS server that Kubernetes objects do not drive.
 *
 * Subclass it for a server that has no class here. Every text depends on the names alone: no time, no randomness.
 */
export abstract class DnsOutput {
  /** BIND, and whatever else reads zone files: one file for each zone. */
  public static bind(props: BindOutputProps = {}): DnsOutput {
    const { BindOutput } = require('./bind') as typeof import('./bind');
    return new BindOutput(props);
  }

  /** CoreDNS: a server block for each zone, to append to a Corefile or to put into a ConfigMap with `DnsConfigMap`. */
  public static coreDns(props: CoreDnsOutputProps = {}): DnsOutput {
    const { CoreDnsOutput } = require('./coredns') as typeof import('./coredns');
    return new CoreDnsOutput(props);
  }

  /** dnsmasq >= 2.86: a file for `/etc/dnsmasq.d`. */
  public static dnsmasq(props: DnsmasqOutputProps = {}): DnsOutput {
    const { DnsmasqOutput } = require('./dnsmasq') as typeof import('./dnsmasq');
    return new DnsmasqOutput(props);
  }

  /** Pi-hole: a file for `/etc/dnsmasq.d`, which version 6 reads with `misc.etc_dnsmasq_d = true`. */
  public static piHole(props: DnsmasqOutputProps = {}): DnsOutput {
    const { PiHoleOutput } = require('./dnsmasq') as typeof import('./dnsmasq');
    return new PiHoleOutput(props);
  }

  /** Windows Server DNS: a PowerShell script that can run again and changes only what differs. */
  public static windowsServer(props: WindowsServerOutputProps = {}): DnsOutput {
    const { WindowsServerOutput } = require('./windows-server') as typeof import('./windows-server');
    return new WindowsServerOutput(props);
  }

  /** Infoblox NIOS: a file for its CSV import. */
  public static infoblox(props: InfobloxOutputProps = {}): DnsOutput {
    const { InfobloxOutput } = require('./infoblox') as typeof import('./infoblox');
    return new InfobloxOutput(props);
  }

  /** Cloudflare DNS: a file for "Import DNS records" of each zone, and whether to have the records proxied. */
  public static cloudflare(): DnsOutput {
    const { CloudflareOutput } = require('./cloudflare') as typeof import('./cloudflare');
    return new CloudflareOutput();
  }

  /** Cloudflare Zero Trust: the settings through which WARP clients reach the shared address, as a note for its administrator. */
  public static cloudflareZeroTrust(props: CloudflareZeroTrustOutputProps = {}): DnsOutput {
    const { CloudflareZeroTrustOutput } = require('./cloudflare-zero-trust') as typeof import('./cloudflare-zero-trust');
    return new CloudflareZeroTrustOutput(props);
  }

  /** Public addresses with NAT: which ports the router forwards, as a table. */
  public static portForwards(props: PortForwardsOutputProps): DnsOutput {
    const { PortForwardsOutput } = require('./port-forwards') as typeof import('./port-forwards');
    return new PortForwardsOutput(props);
  }

  /**
   * The files.
   *
   * @throws when the server cannot answer for the names; never leaves one out silently
   */
  public abstract files(dns: TenantDns): DnsFile[];

  /**
   * Writes the files into a folder, which is made if it is missing.
   *
   * @returns their paths
   */
  public writeFiles(dns: TenantDns, folder: string): string[] {
    const files = this.files(dns);
    mkdirSync(folder, { recursive: true });
    return files.map(({ name, text }) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
  }
}

nameFactories(DnsOutput);
