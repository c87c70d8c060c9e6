// Sample for tests: made for this project.
library shop;

import 'dart:async';
import 'package:shop/src/cart.dart' as cart show Cart;
import 'src/price.dart' if (dart.library.io) 'src/price_io.dart' hide Old;

export 'src/cart.dart' show Cart;

part 'shop.g.dart';

/// What can be sold.
abstract interface class Priced {
  int get price;
}

mixin Named on Priced {
  String name = 'none';

  void rename(String to) {
    name = to;
  }
}

enum Size implements Comparable<Size> {
  small(1),
  large.of(2);

  const Size(this.rank);
  const Size.of(this.rank);

  final int rank;

  @override
  int compareTo(Size other) => rank - other.rank;
}

typedef Rule<T extends Priced> = bool Function(T item);

extension type const Id(int value) implements int {
  bool get isNew => value == 0;
}

extension Prices on List<Priced> {
  int get total => fold(0, (sum, item) => sum + item.price);
}

/// A book, which has a price.
@immutable
sealed class Book<T extends num> extends Base<T> with Named implements Priced {
  static const int limit = 3, least = 1;
  final String? _title;
  late final Size size;
  var copies = 0, sold;

  Book(this._title, {required this.size, super.key, int n = 2}) : copies = n, super.of(1);
  Book.blank() : this('', size: Size.small);
  const factory Book.other(String title) = Novel;
  factory Book.read(Map<String, Object?> json) {
    return Book(json['title'] as String?, size: Size.large);
  }

  @override
  int get price => copies * limit;
  set price(int value) {
    copies = value;
    this.sold ??= 0;
  }

  Book<T> operator +(Book<T> other) => other;

  Future<List<Book>> find<R>(Rule<Book> rule, [int n = 0]) async {
    final found = await cart.Cart.load(n);
    for (final one in found) {
      if (one case Book(:final copies, size: Size.small) when copies > n) {
        print('a $copies ${one.price}');
      }
    }
    final (first, second: last) = pair(found);
    try {
      first?.rename('x');
    } on FormatException catch (error, trace) {
      throw StateError('$error $trace');
    }
    final made = Book.blank()
      ..copies = 3
      ..rename('y');
    int twice(int by) => by * 2;
    return switch (last) {
      Book b => [b, made, ...found.map(Book.other)],
      _ => const <Book>[],
    };
  }
}

int? _count;
final Book shelf = Book.blank();
int get count => _count ?? 0;

void main(List<String> args) {
  shelf.find((book) => book.price > 1);
  [shelf].total;
}
