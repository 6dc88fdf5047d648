import { Chart, Testing } from 'cdk8s';
import { expectValid } from '../support/schemas';

/** Ways to look at what a chart with the gateway `edge` is synthesized to; all of it is valid. */
export function outputOf(chart: Chart) {
  const synth = (): any[] => {
    const manifests: any[] = Testing.synth(chart);
    manifests.forEach(expectValid);
    return manifests;
  };
  const table = (name: string): string[] => synth()
    .flatMap(({ kind, data }) => kind === 'ConfigMap' && data[`${name}.map`] ? data[`${name}.map`].trim().split('\n') : []).sort();
  const one = (kind: string) => synth().find(manifest => manifest.kind === kind && manifest.metadata.name === 'edge');
  return { synth, table, one };
}
