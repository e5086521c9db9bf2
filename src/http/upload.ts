import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { reject } from '../accounting/problem.ts';
import { type SpooledFile, writeToTemporaryFile } from '../features/posting/imports/spool.ts';
import { wireProblem } from './problem-details.ts';
import { RequestError, rejectRequest } from './request-error.ts';

/** How documents describe the body of an upload, which `uploadOf` reads by itself. */
export const uploadBody = z.any().meta({
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', example: 'file.csv' },
    dryRun: { type: 'boolean', example: true },
  },
});

/** The same of an upload without options. */
export const fileBody = z.any().meta({
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary', example: 'file.txt' } },
});

export interface Upload {
  readonly name: string;
  /** On disk; the reader removes it. */
  readonly file: SpooledFile;
  readonly dryRun: boolean;
  readonly force: boolean;
}

type Flags = Partial<Record<'dryRun' | 'force', boolean | undefined>>;

/** The file of a multipart request, read whole; dryRun and force come as form fields on either side of it, or as query. */
export async function uploadOf(request: FastifyRequest, query: Flags, maxBytes: number): Promise<Upload> {
  if (!request.isMultipart()) reject('UNSUPPORTED_MEDIA_TYPE');
  const flags: Flags = { ...query };
  let upload: Pick<Upload, 'name' | 'file'> | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file') rejectPart(part.fieldname);
        upload = {
          name: (part.filename || 'upload').slice(0, 200),
          file: await writeToTemporaryFile(part.file, 'windows-1252', maxBytes, request.takeUpload),
        };
      } else if (part.fieldname === 'dryRun' || part.fieldname === 'force') {
        flags[part.fieldname] ??= flagOf(part.value, part.fieldname);
      } else rejectPart(part.fieldname);
    }
    if (!upload) rejectMissingFile();
    return { ...upload, dryRun: flags.dryRun ?? false, force: flags.force ?? false };
  } catch (error) {
    await upload?.file.remove();
    throw wordedFailure(error);
  }
}

/** The file of a multipart request, read as it comes: nothing of it is kept. What is not read is let go by. */
export async function readUploadedFile<Answer>(
  request: FastifyRequest,
  read: (chunks: AsyncIterable<Buffer>) => Promise<Answer>,
): Promise<Answer> {
  if (!request.isMultipart()) reject('UNSUPPORTED_MEDIA_TYPE');
  let answer: Answer | undefined;
  let isTruncated = () => false;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file' || part.fieldname !== 'file') rejectPart(part.fieldname);
      const { file } = part;
      answer = await read(file.iterator({ destroyOnReturn: false }));
      file.resume();
      isTruncated = () => file.truncated;
    }
    if (isTruncated()) reject('BODY_TOO_LARGE');
    return answer ?? rejectMissingFile();
  } catch (error) {
    throw wordedFailure(error);
  }
}

function rejectMissingFile(): never {
  return rejectRequest(
    'INVALID_FIELD',
    { reason: { en: 'a file is required', pt: 'é necessário um arquivo' } },
    'file',
  );
}

function wordedFailure(error: unknown): unknown {
  return isBrokenForm(error) ? new RequestError([wireProblem('INVALID_BODY', BROKEN_FORM, 'body')]) : error;
}

/** The form's parser accepts a part without a name. */
function rejectPart(name: string | undefined): never {
  if (name === undefined) return rejectRequest('INVALID_BODY', BROKEN_FORM, 'body');
  return rejectRequest('UNKNOWN_FIELD', { name: name.slice(0, 40) }, name.slice(0, 40));
}

const BROKEN_FORM = { reason: { en: 'not a whole multipart form', pt: 'não é um formulário multipart completo' } };

/** The form's parser throws bare errors; those of the network, the disk and the database carry a code, others a class. */
function isBrokenForm(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error && !('code' in error);
}

function flagOf(value: unknown, name: string): boolean {
  if (value !== 'true' && value !== 'false')
    return rejectRequest(
      'INVALID_FIELD',
      { reason: { en: 'must be true or false', pt: 'deve ser true ou false' } },
      name,
    );
  return value === 'true';
}
