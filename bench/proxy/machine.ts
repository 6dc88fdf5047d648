import { execFileSync } from 'child_process';
import { cpus, release } from 'os';

/** What the figures depend on besides the code. */
export function machine(): object {
  const root = process.env.TCP_PROXY_IMAGE_ROOT!;
  const image = (...command: string[]) => execFileSync('scripts/image-run.sh', [root, ...command], { encoding: 'utf8' });
  const haproxy = image('/usr/sbin/haproxy', '-vv');
  return {
    cpu: cpus()[0].model,
    cores: cpus().length,
    kernel: release(),
    node: image('/usr/bin/node', '--version').trim(),
    haproxy: /version (\S+)/.exec(haproxy)![1],
    openssl: /Running on OpenSSL version : OpenSSL (\S+)/.exec(haproxy)?.[1],
    go: execFileSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).trim(),
  };
}
