/** Words of a command that runs an agent with the variables that images/tcp-proxy/Dockerfile sets: its memory depends on them. */
export const AS_THE_IMAGE = ['env', 'GLIBC_TUNABLES=glibc.malloc.mmap_threshold=32768', 'NODE_OPTIONS=--max-semi-space-size=1'];
