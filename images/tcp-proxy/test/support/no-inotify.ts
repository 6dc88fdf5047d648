import { spawnSync } from 'child_process';

/** Words in front of a program that runs it where the kernel grants no inotify instance: a user namespace with that limit. */
export const WITHOUT_INOTIFY = ['unshare', '--user', '--map-root-user', 'sh', '-c', 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"', 'sh'];

/** `describe` for tests without inotify; skipped, with the remedy in its name, where that cannot be had. */
export function describeWithoutInotify(name: string, tests: () => void): void {
  const [program, ...words] = WITHOUT_INOTIFY;
  const { status, stderr, error } = spawnSync(program, [...words, 'true'], { encoding: 'utf8' });
  if (status === 0) describe(name, tests);
  else describe.skip(`${name} (skipped: allow user namespaces and install util-linux: ${error?.message ?? stderr.trim()})`, tests);
}
