import { pino } from 'pino';
import { Registry } from 'prom-client';
import { CertificateError } from '../../src/certificates/certificate-pair';
import { CertificatePart, CertificateSync } from '../../src/certificates/certificate-sync';
import { eventually } from '../support/eventually';

/** A part of which the key could not be written. */
class HalfWritten implements CertificatePart {
  public readonly kind = 'tunnel';
  public readonly title = 'certificate of the tunnel';
  public readonly folder = '/nowhere';
  public compared = 0;
  public whole = false;

  public async check(): Promise<void> {
    this.whole = true;
  }

  public async reconcile(): Promise<boolean> {
    if (this.compared++ === 0) throw new CertificateError('cannot be kept for a restart of HAProxy: EIO');
    throw new Error('connect ECONNREFUSED');
  }
}

test('a pair that was half written when HAProxy died is written again, as HAProxy could not start with it', async () => {
  const part = new HalfWritten();
  const certificates = new CertificateSync({ parts: [part], logger: pino({ level: 'silent' }), registry: new Registry() });
  certificates.trigger();
  await eventually(() => expect(certificates.refusal).toContain('EIO'));
  expect(part.whole).toBe(false);
  certificates.trigger();
  await eventually(() => expect(part.whole).toBe(true));
  expect(certificates.refusal).toBeUndefined();
});
