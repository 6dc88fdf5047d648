import { constructionsOf, TENANTS_FOLDER } from './app';
import { dependabot, workflow } from './files/github';
import { readme } from './files/readme';
import { GO } from './languages/go';
import { JAVA } from './languages/java';
import { fileOf, Files, Language } from './languages/language';
import { PYTHON } from './languages/python';
import { TYPESCRIPT } from './languages/typescript';
import { Settings } from './settings';

const LANGUAGES: { readonly [name: string]: Language } = { typescript: TYPESCRIPT, python: PYTHON, go: GO, java: JAVA };

export function languageOf({ language }: Settings): Language {
  return LANGUAGES[language];
}

/** Every file of the project. */
export function projectOf(settings: Settings): Files {
  const language = languageOf(settings);
  return {
    ...language.files({ settings, constructions: constructionsOf(settings) }),
    'README.md': readme(settings, language),
    'cdk8s.yaml': fileOf([`language: ${language.name}`, `app: ${language.command}`]),
    '.gitignore': fileOf([...language.ignored, ...settings.delivery.fromGit ? [`# dist and ${TENANTS_FOLDER} are committed: they are what is delivered.`] : ['dist/']]),
    '.github/workflows/ci.yml': workflow(language, settings),
    '.github/dependabot.yml': dependabot(language),
  };
}
