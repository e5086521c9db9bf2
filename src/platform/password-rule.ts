import { dictionary } from '@zxcvbn-ts/language-common';

/** Minimum length of a new password, the first administrator's included. */
export const PASSWORD_LENGTH = { least: 12, most: 200 };

/** Common in Brazil, in addition to the common list. */
const COMMON_HERE =
  'mudar mudarsenha trocar trocarsenha minhasenha senhaforte senhasegura novasenha contabilidade contador contadora ' +
  'administrador administradora usuario acesso financeiro empresa banco bancodobrasil corinthians fluminense ' +
  'internacional gremio bemvindo teste deusefiel brasil saopaulo riodejaneiro';
/** The product's name is public and makes no password harder to guess. */
const PRODUCT = 'partidas';
/** Of a password, without the names in it. */
const MIN_BESIDE_NAMES = 8;
const MIN_DIFFERENT = 5;
const MIN_NAME = 3;
const SEQUENCES = ['01234567890123456789', '98765432109876543210', 'abcdefghijklmnopqrstuvwxyz'];

let common: ReadonlySet<string> | undefined;

/**
 * Whether the password is one that guessers try: in the list of common ones, also with digits and signs around it, in
 * another case, repeated, or after the user's or the product's name.
 */
export function isCommonPassword(password: string, username: string): boolean {
  const plain = foldCase(password);
  if (new Set(plain).size < MIN_DIFFERENT || SEQUENCES.some((each) => each.includes(plain))) return true;
  const besideNames = [PRODUCT, foldCase(username)]
    .filter((name) => name.length >= MIN_NAME)
    .reduce((rest, name) => rest.replaceAll(name, ''), plain);
  if (besideNames !== plain && besideNames.length < MIN_BESIDE_NAMES) return true;
  return [plain, besideNames].some((each) => isListed(each) || isListed(lettersOf(each)));
}

function isListed(text: string): boolean {
  common ??= new Set([...dictionary['passwords-common'], ...COMMON_HERE.split(' ')]);
  return common.has(text) || common.has(repeatedPart(text));
}

function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Without digits and signs at both ends. */
function lettersOf(text: string): string {
  const letters = [...text];
  const isLetter = (each: string) => /\p{L}/u.test(each);
  const first = letters.findIndex(isLetter);
  return first === -1 ? text : letters.slice(first, letters.findLastIndex(isLetter) + 1).join('');
}

/** The shortest text that makes up the whole by standing there several times. */
function repeatedPart(text: string): string {
  const again = `${text}${text}`.indexOf(text, 1);
  return again > 0 ? text.slice(0, again) : text;
}
