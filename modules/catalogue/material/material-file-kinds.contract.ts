/** File kinds of a material, detected from the content: the upload check compares name and first bytes. */
export const FILE_KINDS = ['pdf', 'audio', 'picture'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

interface FileType { kind: FileKind; mime: string }

/** By extension; browsers play and show all of them without help. */
export const MATERIAL_FILE_TYPES: Readonly<Record<string, FileType>> = {
  pdf: { kind: 'pdf', mime: 'application/pdf' },
  mp3: { kind: 'audio', mime: 'audio/mpeg' }, wav: { kind: 'audio', mime: 'audio/wav' },
  m4a: { kind: 'audio', mime: 'audio/mp4' }, flac: { kind: 'audio', mime: 'audio/flac' },
  png: { kind: 'picture', mime: 'image/png' }, jpg: { kind: 'picture', mime: 'image/jpeg' },
  jpeg: { kind: 'picture', mime: 'image/jpeg' }, webp: { kind: 'picture', mime: 'image/webp' },
};

/** Type of a stored file, and the extension of its download name. */
export function fileTypeOf(mime: string): FileType & { extension: string } {
  const [extension, type] = Object.entries(MATERIAL_FILE_TYPES).find(([, one]) => one.mime === mime)!;
  return { ...type, extension };
}
