import { IngressAnnotationController, IngressAnnotationControllerProps } from './ingress-annotation-controller';
import { invalidInput } from '../validation/invalid-input';
import { required } from '../validation/required';

/** Any controller that passes TLS through for Ingresses with annotations of its own. */
export class GenericController extends IngressAnnotationController {
  public readonly type: string = 'generic';
  protected readonly passthroughAnnotations: { [name: string]: string } = {};

  public constructor(props: IngressAnnotationControllerProps) {
    super(required('props', props, 'Give ingressClassName and annotations'));
  }

  public override get warnings(): string[] {
    return this.ingressClassName !== undefined || Object.keys(this.ingressAnnotations).length > 0 ? [] : [
      'generic: neither annotations nor an ingressClassName are given, so nothing turns TLS passthrough on, and the cluster\'s default controller may ' +
        'open TLS. Give the annotations of your controller, e.g. { "example.com/ssl-passthrough": "true" }.',
    ];
  }

  /** @internal */
  public override get _whyNoPorts(): string {
    return 'of which this library does not know how it does so';
  }

  /** Also without annotations: the controller may be set to it as a whole. */
  public override get passesIngressesThrough(): boolean {
    return true;
  }

  public override get leavesIngressesToOperators(): boolean {
    return true;
  }

  protected allowedCidrsAnnotations(cidrs: string[]): { [name: string]: string } {
    throw invalidInput('allowedCidrs', cidrs, 'cannot be translated: the generic controller does not know the annotation of yours',
      'Put the annotation into "annotations" of the controller and leave allowedCidrs out');
  }
}
