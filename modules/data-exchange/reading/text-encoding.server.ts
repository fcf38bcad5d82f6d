/**
 * Encoding of a file, checked before anyone looks for columns; content that is not text at all is named in words
 * (reliability.md 3.3).
 */
import { invalidField } from '#kit/errors.ts';
import type { Encoding } from '../imports/import-field.contract.ts';


const SAMPLE = 65_536;

function startsWith(content: Buffer, ...bytes: number[]): boolean {
  return bytes.every((byte, index) => content[index] === byte);
}

const SAVE_AS = 'Open it in the program that made it, save it as an Excel workbook (.xlsx) or as CSV, and choose that '
  + 'file.';
/** Name of the content entry in a protected workbook, in UTF-16. */
const PROTECTED = Buffer.from('EncryptedPackage', 'utf16le');

/** Refuses, in words, files that hold no rows of text. */
export function refuseNoText(content: Buffer): void {
  const says = (text: string): never => { throw invalidField('file', text); };
  if (content.length === 0) says('The file is empty.');
  if (startsWith(content, 0x50, 0x4b)) says(`This is an archive or a damaged workbook. ${SAVE_AS}`);
  if (startsWith(content, 0xd0, 0xcf, 0x11, 0xe0)) {
    says(content.includes(PROTECTED)
      ? 'This workbook is protected by a password. Save a copy without one and choose that.'
      : `This is an old Excel file (xls). ${SAVE_AS}`);
  }
  if (startsWith(content, 0x1f, 0x8b) || startsWith(content, 0x42, 0x5a, 0x68)) {
    says('This file is compressed. Unpack it and choose the CSV file inside.');
  }
  if (startsWith(content, 0x25, 0x50, 0x44, 0x46)) says('This is a PDF. Ask for the return as CSV.');
  const head = content.subarray(0, 2048).toString('latin1').replaceAll('\u0000', '')
    .replace(/^(ï»¿|ÿþ|þÿ)/, '').trim().toLowerCase();
  if (/^(<!doctype html|<html|<head|<table|<meta|<style)/.test(head) || /<table[\s>]/.test(head)) {
    says(`This is a web page saved under another name. ${SAVE_AS}`);
  }
  if (head.startsWith('<?xml') || head.startsWith('<')) says(`This is an XML file. ${SAVE_AS}`);
  if (/^[[{]\s*["{[\]}]/.test(head)) says('This is JSON. Programs send returns through the API; people send CSV.');
}

/**
 * Finds the encoding: the mark at the start, the zeros of UTF-16 without one, UTF-8 where more characters of several
 * bytes are right than wrong (a few damaged ones make it no other encoding), else Windows Latin.
 */
export function detectEncoding(content: Buffer): Encoding {
  if (startsWith(content, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(content, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(content, 0xfe, 0xff)) return 'utf-16be';
  const wide = wideWithoutMark(content.subarray(0, SAMPLE));
  if (wide) return wide;
  const zero = content.indexOf(0);
  if (zero >= 0) {
    throw invalidField('file', `Line ${lineAt(content, zero)} holds a NUL byte: the file is damaged or is no text. `
      + 'Save it again as CSV.');
  }
  const { right, wrong } = utf8In(content);
  return wrong === 0 || right > wrong ? 'utf-8' : 'windows-1252';
}

function lineAt(content: Buffer, position: number): number {
  return content.subarray(0, position).toString('latin1').split(/\r\n|\r|\n/).length;
}

/** Latin text as UTF-16 has a zero in nearly every second byte, on the same side throughout. */
function wideWithoutMark(sample: Buffer): Encoding | null {
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  });
  const half = sample.length / 2;
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le';
  if (even > half * 0.6 && odd < half * 0.05) return 'utf-16be';
  return null;
}

/** Bytes of the character that begins so; 0 where none does. */
function lengthFrom(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 0;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

/** Characters of several bytes that are whole, and bytes that begin or go on with none. */
export function utf8In(content: Buffer): { right: number; wrong: number } {
  let right = 0;
  let wrong = 0;
  for (let at = 0; at < content.length;) {
    const byte = content[at]!;
    if (byte < 0x80) {
      at += 1;
      continue;
    }
    const length = lengthFrom(byte);
    let whole = length > 0;
    for (let n = 1; n < length; n += 1) whole &&= ((content[at + n] ?? 0) & 0xc0) === 0x80;
    if (whole) right += 1;
    else wrong += 1;
    at += whole ? length : 1;
  }
  return { right, wrong };
}

/** The text in pieces, so that a long file is never a second time in memory. The byte-order mark is dropped. */
export function* decoded(content: Buffer, encoding: Encoding): Generator<string> {
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < content.length; at += SAMPLE) {
    const text = decoder.decode(content.subarray(at, at + SAMPLE), { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** The first part of the text, for guessing. */
export function head(content: Buffer, encoding: Encoding): string {
  return new TextDecoder(encoding).decode(content.subarray(0, SAMPLE), { stream: true });
}
