import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Column, Layout } from './layout.ts';
import { formatCell, headTexts, type ReportWriter, type TableRow } from './rows.ts';

/**
 * A workbook with a sheet for each report, streamed: numbers as numbers, dates as dates, everything else as inline text,
 * which no spreadsheet reads as a formula. The heads stay in view and on every printed page. The list of sheets comes
 * last, when their number is known.
 */
export function openXlsx(output: Writable): ReportWriter {
  const zip = new Zip((error, part) => {
    if (error) output.destroy(error);
    else output.write(part);
  });
  const add = (file: ZipDeflate) => {
    zip.add(file);
    return file;
  };
  const addAll = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) add(new ZipDeflate(name)).push(strToU8(text), true);
  };
  const sheets: SheetPart[] = [];
  addAll(FIXED_PARTS);
  return {
    async add(layout, content) {
      const head = headTexts(layout, content.values);
      const headRows = head.length + 2;
      sheets.push({ title: layout.shortTitle ?? layout.title, headRows });
      const sheet = add(new ZipDeflate(sheetPath(sheets.length), { level: 6 }));
      sheet.push(strToU8(`${startOf(layout, headRows)}${head.map(headRow).join('')}<row/>${titlesOf(layout)}`));
      for await (const chunk of content.rows) {
        let text = '';
        for (const row of chunk) text += rowXml(layout, row);
        sheet.push(strToU8(text));
        if (output.writableNeedDrain) await once(output, 'drain');
      }
      sheet.push(strToU8(endOf(layout)), true);
      return { pages: 1, missingCharacters: [] };
    },
    async end() {
      addAll(partsOfSheets(sheets));
      zip.end();
      output.end();
      await finished(output);
    },
  };
}

/** Cell styles by their place in styles.xml. */
const STYLE = { text: 0, money: 1, bold: 2, boldMoney: 3, date: 4, decimal: 5 } as const;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGES = 'http://schemas.openxmlformats.org/package/2006';

/** What is the same in every workbook. The first of these identifies the file as a spreadsheet. */
const FIXED_PARTS = {
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGES}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="#,##0.00##########"/></numFmts><fonts count="2"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf fontId="0"/><xf fontId="0" numFmtId="4" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/><xf fontId="1" numFmtId="4" applyFont="1" applyNumberFormat="1"/><xf fontId="0" numFmtId="164" applyNumberFormat="1"/><xf fontId="0" numFmtId="165" applyNumberFormat="1"/></cellXfs></styleSheet>`,
} as const;

/** What names the sheets, `xl/worksheets/sheet1.xml` and so on, in the order of their titles. */
function partsOfSheets(parts: readonly SheetPart[]): Record<string, string> {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const numbers = parts.map((_, at) => at + 1);
  const types = numbers.map(
    (number) => `<Override PartName="/${sheetPath(number)}" ContentType="${type}.worksheet+xml"/>`,
  );
  const names = sheetNames(parts.map(({ title }) => title));
  const sheets = numbers.map(
    (number, at) => `<sheet name="${escapeXml(names[at]!)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const repeated = parts.map(({ headRows }, at) => {
    const range = `'${names[at]!.replaceAll("'", "''")}'!$1:$${headRows}`;
    return `<definedName name="_xlnm.Print_Titles" localSheetId="${at}">${escapeXml(range)}</definedName>`;
  });
  const relations = numbers.map(
    (number) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGES}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${types.join('')}<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets><definedNames>${repeated.join('')}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGES}/relationships">${relations.join('')}<Relationship Id="rId${parts.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  };
}

/** A sheet that is written. */
interface SheetPart {
  readonly title: string;
  /** The rows above the first of the table, the titles of its columns included. */
  readonly headRows: number;
}

/** Up to the first row: as wide as the paper when it is printed, the head in view however far one scrolls. */
function startOf(layout: Layout, headRows: number): string {
  const pane = `<pane ySplit="${headRows}" topLeftCell="A${headRows + 1}" activePane="bottomLeft" state="frozen"/>`;
  const columns = layout.columns.map(widthOf).join('');
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews><cols>${columns}</cols><sheetData>`;
}

function endOf({ orientation }: Layout): string {
  return `</sheetData><pageSetup paperSize="9" orientation="${orientation}" fitToWidth="1" fitToHeight="0"/><headerFooter><oddFooter>&amp;CPágina &amp;P de &amp;N</oddFooter></headerFooter></worksheet>`;
}

function headRow(text: string): string {
  return `<row>${textCell(text, STYLE.bold)}</row>`;
}

function titlesOf(layout: Layout): string {
  return `<row>${layout.columns.map((column) => textCell(column.title, STYLE.bold)).join('')}</row>`;
}

function rowXml(layout: Layout, row: TableRow): string {
  if (row.kind === 'section' || row.kind === 'group' || row.kind === 'note') {
    return `<row>${textCell(row.cells.text ?? '', STYLE.bold)}</row>`;
  }
  const bold = row.kind !== 'detail';
  return `<row>${layout.columns.map((column) => cellXml(column, row.cells[column.key] ?? '', bold)).join('')}</row>`;
}

function cellXml(column: Column, value: string, bold: boolean): string {
  if (value === '') return '<c/>';
  const isNumber =
    ['money', 'decimal', 'balance', 'integer'].includes(column.kind) && /^-?\d{1,15}(\.\d+)?$/.test(value);
  const serial = column.kind === 'date' ? serialOf(value) : undefined;
  if (serial !== undefined) return `<c s="${STYLE.date}"><v>${serial}</v></c>`;
  if (!isNumber) return textCell(value, bold ? STYLE.bold : STYLE.text);
  if (column.kind === 'decimal') return `<c s="${STYLE.decimal}"><v>${value}</v></c>`;
  const style = column.kind === 'integer' ? (bold ? STYLE.bold : STYLE.text) : bold ? STYLE.boldMoney : STYLE.money;
  return `<c s="${style}"><v>${value}</v></c>`;
}

function textCell(text: string, style: number): string {
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(formatCell(text))}</t></is></c>`;
}

/** Day of a spreadsheet of 'dd/mm/aaaa': days since the end of 1899; undefined for other texts. */
function serialOf(date: string): number | undefined {
  const [, day, month, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(date) ?? [];
  return day === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day)) / DAY_MS + 25_569;
}

const DAY_MS = 86_400_000;

/** Characters that a column of this kind needs to show what it holds. */
const MIN_WIDTH: Partial<Record<Column['kind'], number>> = { date: 11, code: 18, money: 20, decimal: 20, balance: 20 };

function widthOf(column: Column, at: number): string {
  const width = Math.max(MIN_WIDTH[column.kind] ?? 8, Math.min(60, column.width));
  return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
}

function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

/** At most 31 characters, none of those that a sheet's name forbids, each name once. */
function sheetNames(titles: readonly string[]): string[] {
  const names: string[] = [];
  for (const title of titles) {
    const plain = title.replace(/[[\]:*?/\\]/g, ' ');
    let name = plain.slice(0, 31);
    for (let copy = 2; names.includes(name); copy++) name = `${plain.slice(0, 26)} (${copy})`;
    names.push(name);
  }
  return names;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
