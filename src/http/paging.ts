import { z } from 'zod';
import type { PageRequest } from '../platform/page-request.ts';
import { wholeText } from './fields.ts';
import { rejectRequest } from './request-error.ts';

/** Page number and size of a paged list in a query string. */
export function pageQuery(defaultSize: number, maximumSize = 1_000) {
  return {
    page: wholeText(0, 100_000_000).default(0).meta({ type: 'integer', example: 0 }),
    size: wholeText(1, maximumSize).default(defaultSize).meta({ type: 'integer', example: defaultSize }),
  };
}

/** A page of the reads that go on behind the last row of the page before. */
export const keyedPageQuery = {
  depoisDe: z.string().max(40).optional().meta({ description: 'The `proximo` of the previous page' }),
  tamanho: wholeText(1, 1_000).default(100).meta({ type: 'integer', example: 100 }),
};

/** `list` is longList where pages are long. */
export function pageOf<Item extends z.ZodType>(item: Item, list: (item: Item) => z.ZodArray<Item> = z.array) {
  return z.object({
    content: list(item),
    totalElements: z.number().int(),
    totalPages: z.number().int(),
    size: z.number().int(),
    number: z.number().int(),
  });
}

export function pageToWire<Item>(content: Item[], totalElements: number, { page, size }: PageRequest) {
  return { content, totalElements, totalPages: Math.ceil(totalElements / size), size, number: page };
}

/** Page number and size of the reads with Portuguese names. */
export function paginaQuery(defaultSize: number, maximumSize = 1_000) {
  return {
    pagina: wholeText(0, 100_000_000).default(0).meta({ type: 'integer', example: 0 }),
    tamanho: wholeText(1, maximumSize).default(defaultSize).meta({ type: 'integer', example: defaultSize }),
  };
}

export function pageRequestOf({ pagina, tamanho }: { pagina: number; tamanho: number }): PageRequest {
  return { page: pagina, size: tamanho };
}

/** RetornoGenerico carrying a page. */
export function pagedReturn<Item extends z.ZodType>(item: Item, list?: (item: Item) => z.ZodArray<Item>) {
  return z.object({
    sucesso: z.boolean(),
    mensagem: z.string(),
    nomeArquivo: z.string().nullable(),
    tipoConteudo: z.string(),
    conteudo: pageOf(item, list),
  });
}

export function pagedToWire<Item>(content: Item[], totalElements: number, slice: PageRequest) {
  return {
    sucesso: true,
    mensagem: totalElements === 0 ? 'Nenhum registro encontrado' : `${totalElements} registro(s)`,
    nomeArquivo: null,
    tipoConteudo: 'application/json',
    conteudo: pageToWire(content, totalElements, slice),
  };
}

interface MaybeBranch {
  readonly empresa?: string | undefined;
  readonly filial?: string | undefined;
}

/** The tenant of a listing that may name a company, or a branch of it; none: everything that the caller can access. */
export function tenantIfNamed({ empresa, filial }: MaybeBranch) {
  return empresa === undefined ? [] : { company: empresa, branch: filial };
}

export function rejectBranchAlone({ empresa, filial }: MaybeBranch): void {
  if (filial !== undefined && empresa === undefined) {
    rejectRequest('INVALID_FIELD', { reason: { en: 'filial needs empresa', pt: 'filial exige empresa' } }, 'filial');
  }
}

/** The place after which a page begins is one that another page has given. */
export function rejectPlace(field: string): never {
  const reason = { en: 'must be the "proximo" of a page', pt: 'deve ser o "proximo" de uma página' };
  return rejectRequest('INVALID_FIELD', { reason }, field);
}
