/** Whether an annotation has an ingress controller pass TLS through: `…/ssl-passthrough: "true"`, `…/tls-passthrough: enabled`. */
export function saysPassthrough(annotations: { [name: string]: string } = {}): boolean {
  return Object.entries(annotations).some(([name, value]) => /passthrough$/.test(name) && /^(true|enabled|on)$/.test(String(value)));
}
