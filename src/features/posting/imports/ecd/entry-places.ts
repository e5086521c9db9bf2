import { isPlainCode } from '../../../../accounting/plain-text.ts';

/** Where an entry goes: number of its batch, document and its own. */
export interface EntryPlace {
  readonly batch: string;
  readonly document: string;
  readonly number: string;
}

/** Batches of a file that are remembered. */
const MOST_BATCHES = 100_000;
const LONGEST_BATCH = 10;
const LONGEST_DOCUMENT = 20;

/** Batches of entries that come from elsewhere: all of a month, and its closing entries apart. */
const BATCH = 'ECD';
const CLOSING_BATCH = 'ENCERRA';

/** AAAAMM.lote.documento.lancamento, as the platform writes them; the number of the entry may have dots of its own. */
const OWN = /^(\d{6})\.([^.]{1,10})\.([^.]{1,20})\.(.+)$/;

/**
 * Where the entries of a file go. Numbers that the platform wrote restore batch and document, if all of the file are
 * such; others are entries of a batch a month and a document a day, by their number. Closing entries lie in batches of
 * their own, which go when a month is opened again.
 */
export class EntryPlaces {
  #isOwn = true;
  readonly #batches = new Map<string, boolean>();

  /** Looks at a number before any is placed; the month is 202512. */
  look(number: string, month: number, isClosing: boolean): void {
    if (!this.#isOwn) return;
    const place = ownPlace(number, month);
    this.#isOwn = place !== undefined && this.#keepsApart(`${month} ${place.batch}`, isClosing);
  }

  get isOwn(): boolean {
    return this.#isOwn;
  }

  of(number: string, month: number, day: number, isClosing: boolean): EntryPlace {
    const own = this.#isOwn ? ownPlace(number, month) : undefined;
    const document = String(day).padStart(2, '0');
    return own ?? { batch: isClosing ? CLOSING_BATCH : BATCH, document, number };
  }

  #keepsApart(batch: string, isClosing: boolean): boolean {
    const known = this.#batches.get(batch);
    if (known !== undefined) return known === isClosing;
    if (this.#batches.size >= MOST_BATCHES) return false;
    this.#batches.set(batch, isClosing);
    return true;
  }
}

function ownPlace(text: string, month: number): EntryPlace | undefined {
  const match = OWN.exec(text);
  if (match === null || Number(match[1]) !== month) return undefined;
  const [batch = '', document = '', number = ''] = match.slice(2);
  const isPlain = [batch, document, number].every((part) => isPlainCode(part) && part.trim() === part);
  if (!isPlain || batch.length > LONGEST_BATCH || document.length > LONGEST_DOCUMENT) return undefined;
  return { batch, document, number };
}
