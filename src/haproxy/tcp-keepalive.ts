import { Section } from './section';

/**
 * Has HAProxy find dead peers on both sides within two minutes of silence. Load balancers drop idle connections without a
 * word, some after less than six minutes.
 */
export function addTcpKeepalive(section: Section): Section {
  for (const side of ['cli', 'srv']) {
    section
      .add('option', `${side}tcpka`)
      .add(`${side}tcpka-idle`, '55s')
      .add(`${side}tcpka-intvl`, '15s')
      .add(`${side}tcpka-cnt`, 3);
  }
  return section;
}
