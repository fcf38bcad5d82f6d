/** What a file of a material may be, told by its content: the door of uploads compares name and first bytes. */
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

/** How a stored file is called when it leaves, and what it is. */
export function fileTypeOf(mime: string): FileType & { extension: string } {
  const [extension, type] = Object.entries(MATERIAL_FILE_TYPES).find(([, one]) => one.mime === mime)!;
  return { ...type, extension };
}
