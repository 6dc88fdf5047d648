export * from './finding';
export type { SynthesizedRoute } from './routes';
export * from './synthesized-platform';
export type { SynthesizedUpstream } from './upstream';
