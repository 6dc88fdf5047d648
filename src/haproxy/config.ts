import { Section, SectionKeyword } from './section';
import { invalidInput } from '../validation/invalid-input';

/** A HAProxy configuration: sections in the order in which they were added. */
export class HaproxyConfig {
  private readonly sections: Section[] = [];

  /**
   * Adds a section.
   *
   * @throws when a section of the keyword already has the name; HAProxy would only warn
   */
  public section(keyword: SectionKeyword, name?: string): Section {
    if (this.sections.some(section => section.keyword === keyword && section.name === name)) {
      throw invalidInput('haproxy', [keyword, name].filter(Boolean).join(' '), 'is a section that exists already', 'Give it another name');
    }
    const section = new Section(keyword, name);
    this.sections.push(section);
    return section;
  }

  /** The text of the configuration, ending with the line break that HAProxy insists on. */
  public render(): string {
    return `${this.sections.map(section => section.render()).join('\n\n')}\n`;
  }
}
