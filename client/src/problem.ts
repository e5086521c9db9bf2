/** An input at fault, and why. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ProblemDetails {
  readonly title?: string;
  readonly detail?: string;
  readonly instance?: string;
  readonly code?: string;
  readonly errors?: readonly FieldError[];
}

/** A refusal of the platform. Decide by `code`, which is stable; show `message` to people. */
export class PartidasProblem<Code extends string = string> extends Error {
  override readonly name = 'PartidasProblem';
  readonly status: number;
  /** UNKNOWN where what answered was not the platform, a proxy for example. */
  readonly code: Code | 'UNKNOWN';
  readonly title: string;
  /** Path of the operation that refused. */
  readonly path: string;
  /** Every input at fault that was found. */
  readonly errors: readonly FieldError[];
  /** Names the request in the log of the platform. */
  readonly requestId: string | undefined;

  constructor(status: number, details: ProblemDetails, requestId: string | undefined) {
    super(details.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = (details.code as Code | undefined) ?? 'UNKNOWN';
    this.title = details.title ?? '';
    this.path = details.instance ?? '';
    this.errors = details.errors ?? [];
    this.requestId = requestId;
  }
}

export async function problemOf(response: Response): Promise<PartidasProblem> {
  const text = await response.text().catch(() => '');
  return new PartidasProblem(response.status, detailsOf(text), response.headers.get('x-request-id') ?? undefined);
}

function detailsOf(text: string): ProblemDetails {
  try {
    const details = JSON.parse(text) as unknown;
    return details !== null && typeof details === 'object' ? details : {};
  } catch {
    return {};
  }
}
