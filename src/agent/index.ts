export type { AgentWorkloadProps } from './agent-workload-props';
export { LogLevel } from './contract/log-level';
export { ImagePullPolicy } from './image-pull-policy';
