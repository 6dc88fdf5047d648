/** When a node pulls the image. */
export enum ImagePullPolicy {
  /** At every start of a pod. */
  ALWAYS = 'Always',
  /** When the node does not have it. */
  IF_NOT_PRESENT = 'IfNotPresent',
  /** The node must have it. */
  NEVER = 'Never',
}
