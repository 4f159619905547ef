"use strict";

// Splits a program into [kind, text]; kinds are the CSS classes "k-…", "" is plain text. It need
// not be right about broken programs, but it must lose no character and take linear time.
const tokens = (() => {
  const words = (text) => new Set(text.split(" "));
  const PYTHON = {
    keywords: words(
      "False None True and as assert async await break class continue def del elif else except " +
        "finally for from global if import in is lambda match case nonlocal not or pass raise " +
        "return try while with yield"
    ),
    names: words(
      "abs all any bin bool bytes chr dict divmod enumerate filter float format frozenset hash " +
        "hex input int isinstance iter len list map max min next object oct open ord pow print " +
        "range repr reversed round self set slice sorted str sum super tuple type zip"
    ),
    pattern: new RegExp(
      [
        String.raw`(?<comment>#[^\n]*)`,
        String.raw`(?<string>(?:\b[rbfuRBFU]{1,2})?(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)` +
          String.raw`|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?))`,
        String.raw`(?<number>\b(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?)j?)`,
        String.raw`(?<mark>@[A-Za-z_][\w.]*)`,
        String.raw`(?<word>[A-Za-z_]\w*)`,
      ].join("|"),
      "g"
    ),
  };
  const CURLY = {
    keywords: words(
      "abstract auto bool boolean break byte case catch char class const constexpr continue " +
        "default defer delete do double else enum export extends extern final finally float fn " +
        "for func function go goto if impl implements import in inline instanceof int interface " +
        "let long loop match mod move mut namespace new null nullptr operator package private " +
        "protected pub public range return self short signed sizeof static struct super switch " +
        "template this throw trait try type typedef typename union unsigned use using var " +
        "virtual void volatile where while yield true false async await String string vector map"
    ),
    names: new Set(),
    pattern: new RegExp(
      [
        String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))`,
        "(?<string>\"(?:[^\"\\\\\\n]|\\\\[\\s\\S])*\"?|'(?:[^'\\\\\\n]|\\\\[\\s\\S])*'?" +
          "|`(?:[^`\\\\]|\\\\[\\s\\S])*`?)",
        String.raw`(?<number>\b(?:0[xXbB][\da-fA-F_']+|\d[\d_']*(?:\.\d*)?(?:[eE][+-]?\d+)?)\w*)`,
        String.raw`(?<mark>^[ \t]*#[^\n]*)`,
        String.raw`(?<word>[A-Za-z_]\w*)`,
      ].join("|"),
      "gm"
    ),
  };

  const kindOf = (groups, language) => {
    if (groups.word === undefined) {
      return Object.keys(groups).find((kind) => groups[kind] !== undefined);
    }
    if (language.keywords.has(groups.word)) return "keyword";
    return language.names.has(groups.word) ? "name" : "";
  };

  return (code, name) => {
    const language = name === "python" ? PYTHON : CURLY;
    const found = [];
    let at = 0;
    for (const match of code.matchAll(language.pattern)) {
      if (match.index > at) found.push(["", code.slice(at, match.index)]);
      found.push([kindOf(match.groups, language), match[0]]);
      at = match.index + match[0].length;
    }
    if (at < code.length) found.push(["", code.slice(at)]);
    return found;
  };
})();
