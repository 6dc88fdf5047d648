import { App } from 'cdk8s';

/** What the program of an example exports: its app, or that of each environment. */
export interface Example {
  readonly app?: App;
  readonly apps?: { [environment: string]: App };
}

/** The apps of an example, with the folder of each environment in that of the example; empty where there is one app. */
export function appsOf({ app, apps }: Example): { readonly folder: string; readonly app: App }[] {
  return app ? [{ folder: '', app }] : Object.entries(apps ?? {}).map(([folder, each]) => ({ folder, app: each }));
}
