import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { reject } from '../../accounting/problem.ts';
import type { RecordName } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';

/** Codes of the guarded actions (migrations seed them). */
export const ROUTINE_CODES = [
  'COMPANIES',
  'CHART_OF_ACCOUNTS',
  'MONTH_OPENING',
  'REOPENING',
  'CALENDAR_CLOSE',
  'CONSOLIDATION',
  'TAX_QUOTA',
  'PURGING',
  'IMPORT',
  'DELETE_MOVEMENTS',
  'COMPLIANCE_RULES',
  'SETTINGS',
  'LEGAL_BOOKS',
  'WEBHOOKS',
  'APPROVALS',
  'REGULATORY_FILES',
] as const;
export type RoutineCode = (typeof ROUTINE_CODES)[number];

/** Records that a request may name by id and that belong to a tenant: the table that says to which. */
export const TENANT_RECORDS = {
  company: { table: 'company', company: 'id', branch: null, name: 'Company' },
  branch: { table: 'branch', company: 'company_id', branch: 'id', name: 'Branch' },
  archivedBatch: { table: 'batch_archive', company: 'company_id', branch: 'branch_id', name: 'Batch' },
  archivedDocument: { table: 'document_archive', company: 'company_id', branch: 'branch_id', name: 'Document' },
  approval: { table: 'approval', company: 'company_id', branch: 'branch_id', name: 'Approval' },
  batch: { table: 'batch', company: 'company_id', branch: 'branch_id', name: 'Batch' },
  document: { table: 'document', company: 'company_id', branch: 'branch_id', name: 'Document' },
  /** One that is posted to: its tenant is cached, because posting itself checks that it still exists. */
  postedDocument: { table: 'document', company: 'company_id', branch: 'branch_id', name: 'Document' },
  entry: { table: 'entry_line', company: 'company_id', branch: 'branch_id', name: 'Entry' },
  importRecord: { table: 'import_record', company: 'company_id', branch: 'branch_id', name: 'Import' },
  job: { table: 'job', company: 'company_id', branch: 'branch_id', name: 'Job' },
  reportJob: { table: 'job', company: 'company_id', branch: 'branch_id', name: 'Job', ofWholeCompany: true },
  companyOptions: { table: 'company_options', company: 'company_id', branch: 'branch_id', name: 'Company options' },
  closureSettings: { table: 'closure_settings', company: 'company_id', branch: 'branch_id', name: 'Closure settings' },
  fundSettings: { table: 'fund_settings', company: 'company_id', branch: 'branch_id', name: 'Fund settings' },
  entryTemplate: { table: 'entry_template', company: 'company_id', branch: 'branch_id', name: 'Entry template' },
  templateUse: { table: 'entry_template_data', company: 'company_id', branch: 'branch_id', name: 'Template use' },
  narration: { table: 'standard_narration', company: 'company_id', branch: 'branch_id', name: 'Narration' },
  webhook: { table: 'webhook', company: 'company_id', branch: null, name: 'Webhook', ofWholeCompany: true },
  regulatoryDelivery: {
    table: 'regulatory_delivery',
    company: 'company_id',
    branch: null,
    name: 'Delivery',
    ofWholeCompany: true,
  },
  complianceProcess: { table: 'compliance_process', company: 'company_id', branch: 'branch_id', name: 'Process' },
} as const satisfies Readonly<Record<string, RecordTable>>;
export type TenantRecord = keyof typeof TENANT_RECORDS;

/** Where a record's tenant is stored, and the record's name in errors. */
export interface RecordTable {
  readonly table: string;
  readonly company: string;
  readonly branch: string | null;
  readonly name: RecordName;
  /** A record without a branch shows all branches: a permission on some of them does not open it. */
  readonly ofWholeCompany?: boolean;
}

/** In the place of a branch's code: the institution, all branches of the company together. No branch has this code. */
export const INSTITUTION = '*';

/** Codes by which a request names a tenant; without branch, the company as a whole. */
export interface TenantCodes {
  readonly company: string;
  readonly branch?: string | undefined;
}

/**
 * Who may call a route, declared on the route itself: a service does not start with a route that declares none.
 * `of` and `id` read the request's validated parts, whose fields are merged; of the same name, path wins over query over body.
 */
export type Access<Input> =
  /** Everybody, without a token. */
  | { readonly to: 'anyone' }
  /** Every signed-in user, even without a tenant: for the own user, and for lists of what the caller can access. */
  | { readonly to: 'anyUser'; readonly routine?: RoutineCode }
  /** Every user with a tenant; the use case returns only what the caller can access (SQL function `can_access`). */
  | { readonly to: 'signedIn'; readonly routine?: RoutineCode }
  | { readonly to: 'admins' }
  /**
   * Users with access to every tenant named by code: 404 for an unknown code, 403 for one without permission. A request
   * that names none is open to every user with a tenant.
   */
  | {
      readonly to: 'tenant';
      readonly of: (input: Input) => TenantCodes | readonly TenantCodes[];
      readonly routine?: RoutineCode;
      /** Administrators only, besides. */
      readonly admin?: boolean;
      /**
       * Gets what is not there, or is not there for this user, instead of 404 and 403; the others are the request's
       * tenants. For requests that answer each of the tenants they name by itself.
       */
      readonly unreached?: (codes: TenantCodes, absent: 'company' | 'branch') => void;
      /** A request may name the institution: then the caller needs the company as a whole, whatever branches it has. */
      readonly institution?: boolean;
    }
  /** Users with access to the tenant of the records named by id: 404 for absent and foreign ones alike. */
  | {
      readonly to: 'record';
      readonly record: TenantRecord | ((input: Input) => TenantRecord);
      readonly id: (input: Input) => number | readonly number[];
      readonly routine?: RoutineCode;
    };

/** The tenant of a request: internal ids and public codes. */
export interface Tenant {
  readonly companyId: CompanyId;
  readonly company: string;
  readonly branchId: BranchId;
  readonly branch: string;
}

/** A branch by its ids alone, where no codes are shown. */
export type BranchKey = Pick<Tenant, 'companyId' | 'branchId'>;

/** Branches of a company whose rows are summed. */
export interface BranchSet extends Pick<BranchKey, 'companyId'> {
  readonly branchIds: readonly BranchId[];
}

/** All branches of a company together, as a request names them. */
export interface InstitutionTenant extends Pick<Tenant, 'companyId' | 'company'> {
  readonly branchId?: undefined;
  readonly branch: typeof INSTITUTION;
}

/** Whose books a report or a read shows. */
export type ReportedTenant = Tenant | InstitutionTenant;

export function isInstitution(tenant: Pick<ReportedTenant, 'branch'>): tenant is InstitutionTenant {
  return tenant.branch === INSTITUTION;
}

/** A tenant that may be a company as a whole. */
export type CompanyTenant = Omit<Tenant, 'branchId' | 'branch'> & Partial<Pick<Tenant, 'branchId' | 'branch'>>;

/**
 * A company's own data and its set of branches are changed by users with access to the whole company, not one branch.
 */
export function requireCompanyWideAccess(context: Pick<Context, 'scope'>, tenant: CompanyTenant): void {
  const { companies, wholeCompanies } = context.scope;
  if (companies !== '*' && !wholeCompanies.includes(tenant.companyId)) {
    reject('TENANT_DENIED', { company: tenant.company, branch: '*' });
  }
}
