import { Command } from 'commander';
import { adoptCommand } from '../../adopt/src/command';
import { doctorCommand } from '../../doctor/src/command';
import { initCommand } from '../../init/src/command';

/** A command of the package, which is in a room of its own. */
export interface ProgramCommand {
  /** What is typed after the name of the package. */
  readonly name: string;
  /** What it is for, in one line of the help. */
  readonly summary: string;
  /** Makes the command: where the room of the command has it. */
  readonly module: () => Command;
}

/** The commands of the package, in the order in which one needs them. */
export const COMMANDS: readonly ProgramCommand[] = [
  { name: 'init', summary: 'makes a project with an app, its test, a workflow and an update bot', module: initCommand },
  { name: 'adopt', summary: 'writes the program that describes control planes which run already', module: adoptCommand },
  { name: 'doctor', summary: 'finds what is wrong between clients and hosted control planes', module: doctorCommand },
];
