/**
 * Files that are kept can be opened: a PDF has pages, a picture decodes, an archive lists what it is named for. Every
 * upload passes here before its transaction begins (upload.ts).
 */
import { invalidField } from '#kit/errors.ts';
import { archiveDirectory } from './archive-directory.ts';
import type { UploadedFile } from './context.ts';
import { checkPicture } from './image.ts';
import { pageCount, UnreadablePdf } from './pdf-pages.ts';
import { workbookProblem } from './workbook.ts';

type Check = (content: Buffer, field: string) => Promise<void> | void;

const CHECKS: Record<string, Check> = {
  pdf: checkPdf,
  png: checkImage, jpg: checkImage, jpeg: checkImage, webp: checkImage,
  docx: checkDocument,
  xlsx: (content, field) => refuseWith(field, workbookProblem(content)),
  zip: (content, field) => refuseWith(field, archiveDirectory(content, MOST_ENTRIES) ? null : DAMAGED),
};

const DAMAGED = 'This file is damaged or incomplete. Save it again in the program that made it.';
const MOST_ENTRIES = 1000;

/** 422 at the field where the file cannot be opened; the type was checked before. */
export async function refuseUnreadable(file: UploadedFile, field: string): Promise<void> {
  await CHECKS[file.filename.split('.').at(-1)?.toLowerCase() ?? '']?.(file.content, field);
}

async function checkPdf(content: Buffer, field: string): Promise<void> {
  const pages = await pageCount(content).catch((error: unknown) => {
    throw error instanceof UnreadablePdf ? invalidField(field, error.message) : error;
  });
  if (pages === 0) throw invalidField(field, 'This PDF has no pages.');
}

function checkImage(content: Buffer, field: string): Promise<void> {
  return checkPicture(content, { field, smallest_side: 1 });
}

function checkDocument(content: Buffer, field: string): void {
  const entries = archiveDirectory(content, MOST_ENTRIES);
  const complete = entries?.some(({ name }) => name === 'word/document.xml') ?? false;
  refuseWith(field, complete ? null : DAMAGED);
}

function refuseWith(field: string, problem: string | null): void {
  if (problem !== null) throw invalidField(field, problem);
}
