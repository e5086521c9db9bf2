import { z } from 'zod';
import { asId, type CompanyId } from '../../../accounting/ids.ts';
import { type Day, dayFromIso, type Month, monthFromIso } from '../../../accounting/period.ts';
import { COSIF_DOCUMENTS, COSIF_SIGNS, type CosifRequest, type CosifSign } from './cosif/cosif-file.ts';
import { REMITTANCES, type Remittance } from './deliveries/delivery.ts';
import type { EcdBook, EcdRequest } from './ecd/ecd-file.ts';
import type { FoundInFile } from './filing-finding.ts';

/** A file that was ordered; plain data, the payload of its job. */
export type FilingOrder = {
  /** Keep the file even though it has errors. */
  readonly withErrors: boolean;
} & (
  | {
      readonly ecd: EcdRequest;
      readonly replacesId?: number | undefined;
      /** Bytes beyond which the months are files of their own, in a ZIP. */
      readonly largestFile?: number | undefined;
    }
  | { readonly cosif: CosifRequest; readonly sign: CosifSign }
);

/** What became of it. */
export interface FilingResult extends FoundInFile {
  /** false: the file has errors, or none could be written. */
  readonly isKept: boolean;
  readonly lines: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly books: readonly WrittenBook[];
  /** A book for each month. */
  readonly isZip?: boolean | undefined;
  readonly remittance?: Remittance | undefined;
  /** The accepted delivery of the document and month. */
  readonly replacesId?: number | undefined;
  readonly sign?: CosifSign | undefined;
  readonly deliveryId?: number | undefined;
  readonly milliseconds: number;
}

export interface WrittenBook {
  readonly book: EcdBook;
  readonly orderNumber: number;
  readonly from: Day;
  readonly to: Day;
}

/** An object of all fields of the type: a new field of the type does not compile until it is read here. */
type Shape<T> = { readonly [Field in keyof T]-?: z.ZodType<T[Field]> };

const text = z.string().optional();
const companyId = z.int().transform(asId<CompanyId>);
const month = z.custom<Month>((value) => typeof value === 'string' && monthFromIso(value) === value);
const day = z.custom<Day>((value) => typeof value === 'string' && dayFromIso(value) === value);

const ecd: Shape<EcdRequest> = {
  ...{ companyId, company: z.string(), book: z.enum(['G', 'B']), from: day, to: day },
  ...{ orderNumber: z.int().optional(), nature: text, specialSituation: text, startSituation: text },
  ...{ replacedHash: text, semestral: z.boolean().optional(), signingBranch: text },
};
const cosif: Shape<CosifRequest> = {
  ...{ companyId, company: z.string(), document: z.enum(COSIF_DOCUMENTS), month },
  remittance: z.enum(REMITTANCES).optional(),
};
const withErrors = z.boolean();

/** Reads an order that was kept as the payload of a job. */
export const filingOrder: z.ZodType<FilingOrder> = z.union([
  z.object({ withErrors, ecd: z.object(ecd), replacesId: z.int().optional(), largestFile: z.number().optional() }),
  z.object({ withErrors, cosif: z.object(cosif), sign: z.enum(COSIF_SIGNS) }),
]);
