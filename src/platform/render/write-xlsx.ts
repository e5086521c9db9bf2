import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Column, Layout } from './layout.ts';
import { formatCell, type ReportWriter, type TableRow } from './rows.ts';

/**
 * A workbook with a sheet for each report, streamed: numbers as numbers, everything else as inline text, which no
 * spreadsheet reads as a formula. The list of sheets comes last, when their number is known.
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
  const titles: string[] = [];
  addAll(FIXED_PARTS);
  return {
    async add(layout, content) {
      titles.push(layout.shortTitle ?? layout.title);
      const sheet = add(new ZipDeflate(sheetPath(titles.length), { level: 6 }));
      sheet.push(strToU8(`${SHEET_START}${layout.columns.map(widthOf).join('')}</cols><sheetData>${headOf(layout)}`));
      for await (const chunk of content.rows) {
        let text = '';
        for (const row of chunk) text += rowXml(layout, row);
        sheet.push(strToU8(text));
        if (output.writableNeedDrain) await once(output, 'drain');
      }
      sheet.push(strToU8('</sheetData></worksheet>'), true);
      return { pages: 1, missingCharacters: [] };
    },
    async end() {
      addAll(partsOfSheets(titles));
      zip.end();
      output.end();
      await finished(output);
    },
  };
}

/** Cell styles by their place in styles.xml. */
const STYLE = { text: 0, money: 1, bold: 2, boldMoney: 3 } as const;

const SHEET_START = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGES = 'http://schemas.openxmlformats.org/package/2006';

/** What is the same in every workbook. The first of these identifies the file as a spreadsheet. */
const FIXED_PARTS = {
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGES}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf fontId="0"/><xf fontId="0" numFmtId="4" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/><xf fontId="1" numFmtId="4" applyFont="1" applyNumberFormat="1"/></cellXfs></styleSheet>`,
} as const;

/** What names the sheets, `xl/worksheets/sheet1.xml` and so on, in the order of their titles. */
function partsOfSheets(titles: readonly string[]): Record<string, string> {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const numbers = titles.map((_, at) => at + 1);
  const types = numbers.map(
    (number) => `<Override PartName="/${sheetPath(number)}" ContentType="${type}.worksheet+xml"/>`,
  );
  const names = sheetNames(titles);
  const sheets = numbers.map(
    (number, at) => `<sheet name="${escapeXml(names[at]!)}" sheetId="${number}" r:id="rId${number}"/>`,
  );
  const relations = numbers.map(
    (number) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  );
  return {
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGES}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${types.join('')}<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGES}/relationships">${relations.join('')}<Relationship Id="rId${titles.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  };
}

function headOf(layout: Layout): string {
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
  const isNumber = ['money', 'balance', 'integer'].includes(column.kind) && /^-?\d{1,15}(\.\d+)?$/.test(value);
  if (!isNumber) return textCell(value, bold ? STYLE.bold : STYLE.text);
  const style = column.kind === 'integer' ? (bold ? STYLE.bold : STYLE.text) : bold ? STYLE.boldMoney : STYLE.money;
  return `<c s="${style}"><v>${value}</v></c>`;
}

function textCell(text: string, style: number): string {
  return `<c t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(formatCell(text))}</t></is></c>`;
}

function widthOf(column: Column, at: number): string {
  return `<col min="${at + 1}" max="${at + 1}" width="${Math.max(8, Math.min(60, column.width))}" customWidth="1"/>`;
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
