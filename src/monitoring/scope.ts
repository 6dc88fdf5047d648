/** Whose series are meant: those of one use of the image, as the PodMonitor that belongs to it labels them. */
export interface Scope {
  readonly namespace: string;
  /** Name of the objects of the use, which is the label `job`. */
  readonly job: string;
}

/** The series of a metric in a scope, and with these matchers where there are some. */
export function series({ namespace, job }: Scope, { name }: { readonly name: string }, ...matchers: string[]): string {
  return `${name}{${[`namespace="${namespace}"`, `job="${job}"`, ...matchers].join(',')}}`;
}

/** Name, namespace and labels of an object. */
export interface ObjectMetadata {
  readonly name: string;
  readonly namespace: string;
  readonly labels: { readonly [key: string]: string };
}
