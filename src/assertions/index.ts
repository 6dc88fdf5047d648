export type { SynthesizedRoute } from './routes';
export * from './synthesized-platform';
export type { SynthesizedUpstream } from './tcp-proxy-resource';
