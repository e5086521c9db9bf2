import type { z } from 'zod';
import { schemaFindings } from '../platform/schema-findings.ts';
import { type WireProblem, wireProblem } from './problem-details.ts';

/** The findings of a schema for a part of a request: one problem per field. */
export function validationProblems(schema: z.ZodType, issues: readonly z.core.$ZodIssue[]): WireProblem[] {
  return schemaFindings(schema, issues).map((found) =>
    'unknown' in found
      ? wireProblem('UNKNOWN_FIELD', { name: found.unknown }, found.field)
      : wireProblem('INVALID_FIELD', { reason: found.reason }, found.field || 'body'),
  );
}
