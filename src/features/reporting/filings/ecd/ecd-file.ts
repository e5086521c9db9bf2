import type { CompanyId } from '../../../../accounting/ids.ts';
import type { Day } from '../../../../accounting/period.ts';

/** G: the journal with every entry. B: daily trial balances, for institutions of the central bank. */
export type EcdBook = 'G' | 'B';

/** What is asked for; plain data, so that it can be the payload of a job. */
export interface EcdRequest {
  readonly companyId: CompanyId;
  /** The company's code. */
  readonly company: string;
  readonly book: EcdBook;
  /** Whole months of one year; partial ones only with a special situation, or a start that is not an ordinary one. */
  readonly from: Day;
  readonly to: Day;
  /** I030.NUM_ORD; else that of the head office's options, else 1. */
  readonly orderNumber?: number | undefined;
  /** I030.NAT_LIVR; else the usual name of the form. */
  readonly nature?: string | undefined;
  /** IND_SIT_ESP; undefined: none. */
  readonly specialSituation?: string | undefined;
  /** IND_SIT_INI_PER; undefined: 0, an ordinary start. */
  readonly startSituation?: string | undefined;
  /** COD_HASH_SUB: the book that this one takes the place of, as the official program hashed it. */
  readonly replacedHash?: string | undefined;
  /** One J005 for each half-year instead of one for the year. */
  readonly semestral?: boolean | undefined;
  /** Code of the branch whose signatories sign; else the head office's. */
  readonly signingBranch?: string | undefined;
}

/** The record that a line was made of. */
export interface Origin {
  /** As the trail names it: company, branch, account, company_options, statement … */
  readonly resource: string;
  readonly id?: number | undefined;
  readonly code?: string | undefined;
  /** The endpoint where it is mended, such as /accounts/12. */
  readonly path: string;
}

/**
 * Where the file goes, in the order of its lines. `origin` comes before the bytes of its line. Lines in bulk (I155, I200,
 * I250, I300, I310) have none: they repeat what stands in lines of accounts, and I200 names its entry.
 */
export interface EcdSink {
  /** Whole lines in Latin-1, CR LF included; the buffer is the writer's again when the promise is fulfilled. */
  write(bytes: Buffer): void | Promise<void>;
  /** `line` counts from 1. */
  origin?(line: number, origin: Origin): void;
}

export interface EcdOptions {
  /** Neither I200/I250 nor I300/I310: no line is read, and what the file says of its own length is true without them. */
  readonly withoutEntries?: boolean | undefined;
  /** Bytes beyond which a file of several months is rejected; undefined: the official limit. */
  readonly largestFile?: number | undefined;
  /** Throw to give up; called with every buffer. */
  readonly onProgress?: ((lines: number) => void) | undefined;
}

/** Rules of the platform's own. Errors keep a file from being written at all. */
export type EcdRule =
  | 'PARTIDAS_MES_NAO_CONSOLIDADO'
  | 'PARTIDAS_PLANOS_DIFERENTES'
  | 'PARTIDAS_CARACTERE'
  | 'PARTIDAS_LANCAMENTO_EM_DOIS_DIAS'
  | 'PARTIDAS_SALDO_ANTERIOR'
  | 'PARTIDAS_DEMONSTRACAO'
  | 'PARTIDAS_ESCRITURACAO_POR_FILIAL'
  | 'PARTIDAS_PLANO_REFERENCIAL'
  | 'PARTIDAS_PERIODO';

export interface EcdFinding {
  readonly rule: EcdRule;
  readonly severity: 'ERRO' | 'AVISO';
  readonly register?: string | undefined;
  readonly field?: string | undefined;
  readonly value?: string | undefined;
  readonly message: string;
  readonly origin?: Origin | undefined;
}

export interface WrittenEcd {
  /** false: the errors among the findings left nothing to write; the sink got no byte. */
  readonly written: boolean;
  /** The branch whose books they are where they are of one alone: numbers of entries do not name it then. */
  readonly onlyBranch?: string | undefined;
  readonly lines: number;
  readonly bytes: number;
  /** Of the whole file, in hexadecimal. */
  readonly sha256: string;
  readonly linesOf: Readonly<Record<string, number>>;
  /** At most twenty of a rule. */
  readonly findings: readonly EcdFinding[];
  /** How often each rule was broken; more than are listed. */
  readonly counts: Readonly<Record<string, number>>;
}
