import { execFile } from 'child_process';
import { isIPv6 } from 'net';
import { promisify } from 'util';

/** What `ip -json` tells about a network device. */
export interface Link {
  readonly ifname: string;
  readonly flags: readonly string[];
  readonly linkinfo?: { readonly info_kind: string };
  readonly addr_info: readonly { readonly local?: string; readonly prefixlen: number }[];
}

/** All network devices with their addresses. */
export async function links(): Promise<Link[]> {
  return JSON.parse(await ip('-json', '-details', 'address', 'show')) as Link[];
}

/**
 * Runs `ip`.
 *
 * @throws Error when it cannot be run, or the kernel refuses
 */
export async function ip(...words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('ip', words)).stdout;
  } catch (error) {
    const { code, stderr, message } = error as { code?: string; stderr?: string; message: string };
    if (code === 'ENOENT') throw new Error('the program "ip" is missing, install iproute2');
    throw new Error(`ip ${words.join(' ')}: ${stderr?.trim() || message}`);
  }
}

/** The one way in which `ip` writes an address. */
export function canonical(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}
