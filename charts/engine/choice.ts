/** What decides between objects of different structure, e.g. a value that is one of three words. */
export interface Choice {
  readonly name: string;
  /** Each with the condition, in Helm's language, under which it is chosen; exactly one of them holds, and no combination that is not tried can. */
  readonly options: { readonly [option: string]: string };
  /** Whether what it decides depends on no other choice: it is tried with the first options of all others alone. */
  readonly alone?: boolean;
}

/** One option of each choice. */
export interface Assignment {
  readonly [choice: string]: string;
}

/** Every combination of options that has to be tried. */
export function assignments(choices: readonly Choice[]): Assignment[] {
  const optionsOf = ({ options }: Choice) => Object.keys(options);
  const triedOf = (choice: Choice) => choice.alone ? optionsOf(choice).slice(0, 1) : optionsOf(choice);
  const together = choices.reduce<Assignment[]>((all, choice) =>
    all.flatMap(assignment => triedOf(choice).map(option => ({ ...assignment, [choice.name]: option }))), [{}]);
  const byThemselves = choices.filter(({ alone }) => alone).flatMap(choice => optionsOf(choice).slice(1).map(option => ({ [choice.name]: option })));
  return [...together, ...byThemselves.map(chosen => ({ ...together[0], ...chosen }))];
}

/** A choice that a value which is true or false makes. */
export function yesOrNo(name: string, condition: string, alone = false): Choice {
  return { name, alone, options: { yes: condition, no: `not ${atom(condition)}` } };
}

/** A choice that a value which is one of several words makes. */
export function oneOf(name: string, value: string, words: readonly string[]): Choice {
  return { name, options: Object.fromEntries(words.map(word => [word, `eq ${value} ${JSON.stringify(word)}`])) };
}

/** As an argument of a function. */
function atom(expression: string): string {
  return /^[\w.$]+$|^\(.*\)$/.test(expression) ? expression : `(${expression})`;
}

/**
 * The condition under which something is there.
 *
 * @param among the assignments that are possible there; what holds for others does not matter
 * @param present those of them in which it is there
 * @returns undefined where it always is
 */
export function conditionOf(choices: readonly Choice[], among: readonly Assignment[], present: ReadonlySet<Assignment>): string | undefined {
  const relevant = choices.filter(choice => isRelevant(choice, choices, among, present));
  requireDecided(relevant, among, present);
  const expression = decide(relevant, among, present);
  return expression === true ? undefined : String(expression);
}

/** Whether two assignments that differ in nothing but this choice differ in what is there. */
function isRelevant({ name }: Choice, choices: readonly Choice[], among: readonly Assignment[], present: ReadonlySet<Assignment>): boolean {
  const there = new Map<string, boolean>();
  return among.some(assignment => {
    const others = keyOf(choices.filter(choice => choice.name !== name), assignment);
    const known = there.get(others);
    there.set(others, present.has(assignment));
    return known !== undefined && known !== present.has(assignment);
  });
}

/** @throws where something depends on choices that were not tried together */
function requireDecided(choices: readonly Choice[], among: readonly Assignment[], present: ReadonlySet<Assignment>): void {
  const there = new Map<string, boolean>();
  for (const assignment of among) {
    const key = keyOf(choices, assignment);
    if ((there.get(key) ?? present.has(assignment)) !== present.has(assignment)) {
      throw new Error(`Something depends on more than ${choices.map(({ name }) => name).join(', ')}: a choice is not alone`);
    }
    there.set(key, present.has(assignment));
  }
}

function keyOf(choices: readonly Choice[], assignment: Assignment): string {
  return choices.map(({ name }) => assignment[name]).join(' ');
}

function decide(choices: readonly Choice[], among: readonly Assignment[], present: ReadonlySet<Assignment>): string | boolean {
  const there = among.filter(assignment => present.has(assignment)).length;
  if (there === among.length || there === 0) {
    return there > 0;
  }
  const [choice, ...others] = choices;
  const possible = Object.keys(choice.options).filter(option => among.some(assignment => assignment[choice.name] === option));
  const optionsOf = new Map<string | boolean, string[]>();
  for (const option of possible) {
    const expression = decide(others, among.filter(assignment => assignment[choice.name] === option), present);
    optionsOf.set(expression, [...optionsOf.get(expression) ?? [], option]);
  }
  const terms = [...optionsOf].filter(([expression]) => expression !== false)
    .map(([expression, options]) => and(isOneOf(choice, options, possible), expression));
  return terms.length === 1 ? terms[0] : `or ${terms.map(term => atom(String(term))).join(' ')}`;
}

function isOneOf({ options }: Choice, chosen: readonly string[], possible: readonly string[]): string | true {
  if (chosen.length === possible.length) {
    return true;
  }
  const other = possible.filter(option => !chosen.includes(option));
  if (other.length < chosen.length) {
    return `not ${atom(isAny(other.map(option => options[option])))}`;
  }
  return isAny(chosen.map(option => options[option]));
}

function isAny(conditions: string[]): string {
  return conditions.length === 1 ? conditions[0] : `or ${conditions.map(atom).join(' ')}`;
}

function and(a: string | true, b: string | boolean): string | true {
  if (a === true) {
    return b === true ? true : String(b);
  }
  return b === true ? a : `and ${atom(a)} ${atom(String(b))}`;
}
