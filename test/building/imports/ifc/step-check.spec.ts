import { describe, expect, it } from 'vitest';
import { stepCheck } from '../../../../src/building/imports/ifc/step-check.ts';
import {
  IFC_DEPTH_MAX,
  IFC_WORD_BYTES_MAX,
  SHAPE_VALUES_MAX,
} from '../../../../src/building/imports/limits.ts';
import { stepFile } from '../../../support/domain/ifc-files.ts';

/** The error of a file that is read in chunks of `pieceBytes`. */
const said = (file: string, pieceBytes = file.length): string | null => {
  const check = stepCheck();
  const bytes = Buffer.from(file);
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    const refusal = check.take(bytes.subarray(from, from + pieceBytes));
    if (refusal) return refusal.detail;
  }
  return check.end()?.detail ?? null;
};

/** The data begins in line 8. */
const ofData = (...lines: readonly string[]) => said(stepFile(lines));

const wall = "#1=IFCWALL('0BTBFw6f90Nfh9rP1dlXrr',$,$);";

it('names instances with more values than a shape is read from', () => {
  const references = (count: number) => Array.from({ length: count }, () => '#1').join(',');
  const check = stepCheck();
  const lines = [
    wall,
    `#7=IFCPOLYLINE((${references(SHAPE_VALUES_MAX)}));`,
    `#8=IFCPOLYLINE((${references(SHAPE_VALUES_MAX + 1)}));`,
    '#9=IFCPOLYLINE((#1,#1));',
  ];
  expect(check.take(Buffer.from(stepFile(lines)))).toBeNull();
  expect([...check.large]).toEqual([8]);
});

describe('a whole file', () => {
  it.each([
    ['values of every kind', "#1=IFCX(#2,$,*,.T.,-1.5E-3,12,0.,'a','','it''s',\"0F\",(1,(2)),());"],
    ['a value of a type', '#1=IFCX(IFCLABEL(#2),(IFCREAL(1.)));'],
    ['signs within texts', "#1=IFCX('(,;=#/*','*/');"],
    ['blanks and line ends anywhere', "#1\n= IFCX\n(\t'a' ,\n$ )\n;"],
    ['comments', '/* first */ #1=IFCX(/* ; ) */$)/***/;'],
    ['several on a line', `${wall}#2=IFCX();`],
    ['letters beyond ASCII', "#1=IFCX('Büro');"],
    ['a shifted quote', String.raw`#1=IFCX('\S\'','a','\\S\\','\S\'''');`],
    ['the largest number of an instance', '#4294967295=IFCX(#0000000007);'],
    ['nothing', ''],
  ])('may have %s', (_, line) => {
    expect(ofData(line)).toBeNull();
  });

  it('is accepted in chunks of any size', () => {
    const file = stepFile([wall, "#2=IFCX('it''s',/* */(1.,#1));"]);
    for (const bytes of [1, 2, 3, 7]) expect(said(file, bytes)).toBeNull();
  });

  it('may have lists within lists, up to a bound', () => {
    const nested = (depth: number) => ofData(`#1=IFCX${'('.repeat(depth)}1${')'.repeat(depth)};`);
    expect(nested(IFC_DEPTH_MAX)).toBeNull();
    expect(nested(IFC_DEPTH_MAX + 1)).toMatch(/^line 8: lists within lists/);
  });

  it('may have a header in small letters, but for its schema', () => {
    const file = stepFile([wall]);
    expect(said(file.replace('FILE_NAME', 'file_name'))).toBeNull();
    expect(said(file.replace('FILE_SCHEMA', 'file_schema'))).toMatch(/names no schema/);
  });

  it.each(['IFC2X3', 'IFC4', 'IFC4X3'])('may be of the schema %s', (schema) => {
    expect(said(stepFile([wall], schema))).toBeNull();
  });
});

describe('a broken file', () => {
  it.each([
    ['lacks a quote', "#2=IFCX('a,$);", 'line 9: a text does not end where it should'],
    ['lacks a bracket', '#2=IFCX((1,2);', 'line 9: the instance ends within a list'],
    ['has one too many', '#2=IFCX(1));', 'line 9: a ) has no place here'],
    ['lacks a comma', '#2=IFCX(1 2);', 'line 9: unexpected value'],
    ['has a comma too many', '#2=IFCX(1,);', 'line 9: unexpected )'],
    ['begins with a comma', '#2=IFCX(,1);', 'line 9: unexpected ,'],
    ['lacks a semicolon', '#2=IFCX(1)', 'line 10: a reference has no place here'],
    ['lacks its type', '#2=(1);', 'line 9: a ( has no place here'],
    ['lacks its values', '#2=IFCX;', 'line 9: this is no instance'],
    ['lacks its number', 'IFCX(1);', 'line 9: this is no instance'],
    ['has a type without a value', '#2=IFCX(IFCLABEL,1);', 'line 9: a type without its value'],
    ['has a word that means nothing', '#2=IFCX(1..2);', 'line 9: "1..2" is not a valid token'],
    ['has a slash', '#2=IFCX(1/2);', 'line 9: / is not a valid token'],
    ['has small letters', '#2=IfcWall($);', 'line 9: "IfcWall" is not in capital letters'],
    [
      'has a type in small letters',
      '#2=IFCX((IfcLabel(1)));',
      'line 9: "IfcLabel" is not in capital letters',
    ],
    ['has a number twice', '#1=IFCDOOR($);', 'line 9: #1 is defined twice'],
    ['has a number twice, with zeros', '#001=IFCDOOR($);', 'line 9: #1 is defined twice'],
    ['has the number 0', '#0=IFCX();', 'line 9: #0 is not a valid instance number'],
    [
      'has a number beyond 32 bits',
      '#4294967296=IFCX();',
      'line 9: "#4294967296" is larger than 4294967295',
    ],
    [
      'refers to a number beyond 32 bits',
      '#2=IFCX(#4294967297);',
      'line 9: "#4294967297" is larger than 4294967295',
    ],
    ['has JSON in it', '{"a":1}', 'line 9: "{" is not a valid token'],
  ])('that %s is reported with its line', (_, line, says) => {
    expect(ofData(wall, line, "#3=IFCWALL('x',$);")).toBe(says);
  });

  it('reports where an unterminated word begins', () => {
    expect(ofData(wall, `#2=IFCX(${'A'.repeat(IFC_WORD_BYTES_MAX + 1)}`)).toBe(
      'line 9: a word without end',
    );
  });
});

describe('a file that is cut off', () => {
  const file = stepFile([wall, '/* end */', "#2=IFCX('a');"]);

  it('is refused, wherever it was cut', () => {
    // Behind the last semicolon nothing is missing.
    for (let bytes = 0; bytes < file.trimEnd().length; bytes += 1) {
      expect(said(file.slice(0, bytes), 16)).toMatch(/^line \d+: /);
    }
  });

  it('is reported with its last line, and the unterminated text', () => {
    expect(said(file.slice(0, file.indexOf('ENDSEC;\nEND')))).toBe(
      'line 11: the file ends before END-ISO-10303-21',
    );
    expect(said(file.slice(0, file.indexOf('dlXrr')))).toBe(
      'line 8: the file ends before END-ISO-10303-21, in a text that began in line 8',
    );
  });
});

describe('a foreign file', () => {
  it.each([
    ['JSON', '{"site":{}}', 'this is no STEP file: it does not begin with ISO-10303-21'],
    ['ifcZIP', 'PK\x03\x04', 'this is a ZIP archive (ifcZIP): unpack it and send the .ifc file'],
    ['ifcXML', '<?xml version="1.0"?><ifcXML/>', 'this is XML (ifcXML): export the model as STEP'],
    ['ifcXML with a byte order mark', '\ufeff<ifcXML/>', 'this is XML (ifcXML)'],
  ])('of %s is reported with its format, in chunks of any size', (_, file, format) => {
    for (const bytes of [1, file.length]) {
      expect(said(file, bytes)?.slice(0, `line 1: ${format}`.length)).toBe(`line 1: ${format}`);
    }
  });

  it.each(['AUTOMOTIVE_DESIGN', 'IFC2X2_FINAL', ''])('of the schema %j is refused', (schema) => {
    expect(said(stepFile([wall], schema))).toMatch(
      /^line 5: the schema is ".*"; IFC2X3, IFC4 and IFC4X3 are read$/,
    );
  });

  it('that names no schema is refused', () => {
    const file = stepFile([wall]).replace(/FILE_SCHEMA.*\n/, '');
    expect(said(file)).toMatch(/the header names no schema/);
  });

  it('that goes on behind its end is refused', () => {
    expect(said(`${stepFile([wall])}#2=IFCX();`)).toMatch(/^line 11: this is no instance/);
  });
});
