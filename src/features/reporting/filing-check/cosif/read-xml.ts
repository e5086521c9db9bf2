/** The start of an element: documents of the central bank say everything in attributes. */
export interface Tag {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What makes a text no XML, and where. */
export class NotXml extends Error {
  readonly line: number;

  constructor(line: number) {
    super('not XML');
    this.line = line;
  }
}

const SPACE = /\s*/y;
const NAME = /[A-Za-z_][\w.:-]*/y;
const VALUE = /\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The elements of a document in their order, each with the attributes of its start; nesting is checked. */
export function* tagsOf(text: string): Generator<Tag> {
  const open: string[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<', at);
    const between = text.slice(at, start < 0 ? text.length : start);
    if (between.trim() !== '') throw new NotXml(line);
    line += linesIn(between);
    if (start < 0) break;
    const end = endOf(text, start, line);
    const inner = text.slice(start + 1, end);
    if (inner.startsWith('/')) {
      if (open.pop() !== inner.slice(1).trim()) throw new NotXml(line);
    } else if (!inner.startsWith('?') && !inner.startsWith('!')) {
      const isEmpty = inner.endsWith('/');
      const tag = tagOf(isEmpty ? inner.slice(0, -1) : inner, line);
      yield tag;
      if (!isEmpty) open.push(tag.name);
    }
    line += linesIn(inner);
    at = end + 1;
  }
  if (open.length > 0) throw new NotXml(line);
}

/** Comments may hold what looks like an end; documents declare no types of their own. */
function endOf(text: string, start: number, line: number): number {
  const isComment = text.startsWith('<!--', start);
  if (!isComment && text.startsWith('<!', start)) throw new NotXml(line);
  const end = isComment ? text.indexOf('-->', start) + 2 : text.indexOf('>', start);
  if (end < start) throw new NotXml(line);
  return end;
}

function tagOf(inner: string, line: number): Tag {
  const name = matched(NAME, inner, 0)?.[0];
  if (name === undefined) throw new NotXml(line);
  const attributes: Record<string, string> = {};
  let at = name.length;
  for (;;) {
    at += matched(SPACE, inner, at)![0].length;
    if (at >= inner.length) return { name, line, attributes };
    const attribute = matched(NAME, inner, at)?.[0];
    const value = attribute === undefined ? undefined : matched(VALUE, inner, at + attribute.length);
    if (attribute === undefined || !value || attribute in attributes) throw new NotXml(line);
    attributes[attribute] = (value[1] ?? value[2]!).replace(/&(\w+);/g, (whole, entity) => ENTITIES[entity] ?? whole);
    at += attribute.length + value[0].length;
  }
}

function matched(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
