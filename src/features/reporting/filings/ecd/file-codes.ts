import type { EcdBooks } from './ecd-books.ts';
import { fileText } from './file-text.ts';

interface FileAccount {
  readonly code: Buffer;
  readonly isResult: boolean;
}

const NONE = Buffer.alloc(0);

/** Codes of accounts and branches in the bytes of the file, by their ids. */
export class FileCodes {
  readonly #accounts: ReadonlyMap<number, FileAccount>;
  readonly #centres: ReadonlyMap<number, Buffer>;

  constructor({ accounts, branchCodes }: EcdBooks) {
    const bytesOf = (code: string) => Buffer.from(fileText(code).text, 'latin1');
    this.#accounts = new Map(
      accounts.map(({ id, code, accountClass }) => [id, { code: bytesOf(code), isResult: accountClass === '04' }]),
    );
    this.#centres = new Map([...branchCodes].map(([id, code]) => [id, bytesOf(code)]));
  }

  account(id: number): FileAccount {
    const found = this.#accounts.get(id);
    if (found === undefined) throw new Error(`account ${id} is in no chart of the file`);
    return found;
  }

  /** Of a branch that is a cost centre; 0: none. */
  centre(branchId: number): Buffer {
    return branchId === 0 ? NONE : this.#centres.get(branchId)!;
  }
}
